import { requireSameBytes } from "./cell.js";
import type { Contender } from "./contender.js";

/** One copy of the packed bytes from array to array: what no pack can be faster than in the long run. */
export const memcpyContender: Contender = {
  name: "memcpy",
  route: "host",
  prepare(cell) {
    const output = new Uint8Array(cell.packedBytes);
    return {
      commitNs: 0,
      run: () => output.set(cell.packed),
      verify: () => requireSameBytes(cell, "memcpy", cell.packed, output),
      [Symbol.dispose]: () => undefined,
    };
  },
};
