import { requireSameBytes } from "./cell/cell.js";
import type { Contender } from "./contender.js";
import { ring } from "./ring.js";

/** A contender that copies the packed bytes once from array to array: no pack can be faster in the long run. */
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
