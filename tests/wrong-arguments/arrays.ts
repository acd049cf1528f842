import {
  box,
  datatypeOf,
  elementType,
  fromArrayInterface,
  fromArrow,
  fromNdarray,
  record,
  spanOf,
  stridedArray,
  transposed,
} from "@stowage/arrays";
import { bound, type Call } from "./call.js";
import { bytes, byte } from "./subjects.js";

const matrix = () => ({ data: new Float64Array(24), shape: [4, 6], stride: [6, 1], offset: 0, dtype: "float64" });
const strided = () => ({ data: bytes(24), element: byte, offsetBytes: 0, shape: [4, 6], stridesBytes: [6, 1] });
const column = () => ({ type: { typeId: 3 }, length: 6, values: new Float64Array(6), stride: 1, children: [] });
const particle = record({ x: "f64", id: "i32" });
const particles = particle.over(bytes(64));

export const ARRAYS: readonly Call[] = [
  ["elementType", elementType, () => ["float64"]],
  ["fromNdarray", fromNdarray, () => [matrix()]],
  ["box", box, () => [fromNdarray(matrix()), { start: [1, 2], shape: [2, 3] }]],
  [
    "fromArrayInterface",
    fromArrayInterface,
    () => [{ shape: [4, 6], typestr: "<f8", strides: null, data: bytes(192) }],
  ],
  ["record", record, () => [{ x: "f64", id: "i32" }]],
  ["record.over", bound(particle, "over"), () => [bytes(64), 16]],
  ["record.at", bound(particles, "at"), () => [3]],
  ["record.column", bound(particles, "column"), () => ["id"]],
  ["datatypeOf", datatypeOf, () => [strided()]],
  ["fromArrow", fromArrow, () => [column()]],
  ["spanOf", spanOf, () => [strided()]],
  ["stridedArray", stridedArray, () => [strided()]],
  ["transposed", transposed, () => [strided(), [1, 0]]],
];
