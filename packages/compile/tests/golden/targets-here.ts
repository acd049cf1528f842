import { conditions, packMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { denseLayout } from "@stowage/ir";
import type { X64Target } from "../../src/index.js";

const runs = (level: "avx2" | "avx512"): boolean =>
  new X64Backend({ level }).supports([packMove(denseLayout(1))], conditions()).ok;

/** Those whose code this processor can run. */
export const TARGETS_HERE: readonly X64Target[] = [
  "x86-64",
  ...(runs("avx2") ? (["x86-64-v3"] as const) : []),
  ...(runs("avx512") ? (["x86-64-v4"] as const) : []),
  "multi",
];
