import { requireSameBytes } from "./cell/cell.js";
import type { Contender } from "./contender.js";
import { ring } from "./ring.js";

/** One copy of the packed bytes from array to array: what no pack can be faster than in the long run. */
export const memcpyContender: Contender = {
  name: "memcpy",
  route: "host",
  prepare(cell) {
    const output = new Uint8Array(cell.packedBytes);
    const next = ring(() => [output.subarray(), cell.packed.subarray()] as const);
    return {
      run: () => output.set(cell.packed),
      call: () => {
        const [to, from] = next();
        to.set(from);
      },
      verify: () => requireSameBytes(cell, "memcpy", cell.packed, output),
      [Symbol.dispose]: () => undefined,
    };
  },
};
