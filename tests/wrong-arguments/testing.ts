import { anyDatatype, anyLayout } from "@stowage/arbitraries";
import { referenceBounds, referencePack, referenceTypeMap, referenceUnpack } from "@stowage/conformance/laws";
import type { Call } from "./call.js";
import { bytes, rows } from "./subjects.js";

const options = () => ({ disjoint: true, sparse: false, depth: 2, maxSizeBytes: 64, maxReachBytes: 256 });
const scattered = () => ({ bytes: bytes(24), originBytes: 2, count: 1, first: 1, length: 3 });

export const ARBITRARIES: readonly Call[] = [
  ["anyDatatype", anyDatatype, () => [options()]],
  ["anyLayout", anyLayout, () => [options()]],
];

export const REFERENCE: readonly Call[] = [
  ["referenceBounds", referenceBounds, () => [rows]],
  ["referenceTypeMap", referenceTypeMap, () => [rows]],
  ["referencePack", referencePack, () => [rows, scattered()]],
  ["referenceUnpack", referenceUnpack, () => [rows, scattered(), bytes(3)]],
];
