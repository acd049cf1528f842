import { vector, predefined, canonicalise, lower } from "@stowage/ir";
import { DIRECTIONS, memcpyOn, moveOn, x64On } from "../parts/host.mjs";

export default {
  name: "squares",
  question: "What does a column of a square matrix cost beside a plain copy?",
  kind: "moves",
  options: { edges: { kind: "numbers", says: "rows and columns", byDefault: [256, 512] } },
  trial: { edges: [16] },
  *cells({ edges }) {
    for (const n of edges)
      for (const direction of DIRECTIONS)
        yield moveOn(`column of ${n}`, canonicalise(lower(vector(n, 1, n, predefined("MPI_DOUBLE")))), direction);
  },
  contenders: (cell) => ({ x64: x64On(cell), memcpy: memcpyOn(cell) }),
};
