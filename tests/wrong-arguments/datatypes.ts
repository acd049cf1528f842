import * as ir from "@stowage/ir";
import type { Call } from "./call.js";
import { byte, rows } from "./subjects.js";

const subarrayArguments = { sizes: [4, 4], subsizes: [2, 2], starts: [1, 1], order: "C", child: byte };
const darrayArguments = {
  size: 4,
  rank: 1,
  gsizes: [8, 8],
  distribs: ["block", "cyclic"],
  dargs: [null, 2],
  psizes: [2, 2],
  order: "C",
  child: byte,
};

/** The builders that everybody starts with; packages/ir asks each of its functions. */
export const DATATYPES: readonly Call[] = [
  ["predefined", ir.predefined, () => ["MPI_INT"]],
  ["contiguous", ir.contiguous, () => [3, byte]],
  ["vector", ir.vector, () => [3, 2, 5, byte]],
  ["hvector", ir.hvector, () => [3, 2, 5, byte]],
  ["indexed", ir.indexed, () => [[1, 2], [0, 4], byte]],
  ["hindexed", ir.hindexed, () => [[1, 2], [0, 4], byte]],
  ["indexedBlock", ir.indexedBlock, () => [2, [0, 4], byte]],
  ["hindexedBlock", ir.hindexedBlock, () => [2, [0, 4], byte]],
  [
    "struct",
    ir.struct,
    () => [
      [1, 2],
      [0, 8],
      [byte, rows],
    ],
  ],
  ["subarray", ir.subarray, () => [subarrayArguments]],
  ["darray", ir.darray, () => [darrayArguments]],
  ["resized", ir.resized, () => [0, 12, byte]],
  ["dup", ir.dup, () => [byte]],
  ["boundsOf", ir.boundsOf, () => [rows, { bounds: "standard" }]],
  ["lower", ir.lower, () => [rows, { bounds: "standard" }]],
  [
    "parseDatatype",
    ir.parseDatatype,
    () => [{ kind: "vector", count: 3, blocklength: 2, stride: 5, child: "MPI_BYTE" }],
  ],
  ["parseDatatypeText", ir.parseDatatypeText, () => ['{"kind":"dup","child":"MPI_INT"}']],
  ["printDatatype", ir.printDatatype, () => [rows]],
  ["printDatatypeText", ir.printDatatypeText, () => [rows]],
  ["signatureOf", ir.signatureOf, () => [rows]],
];
