import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocks, dense, displacementOrder, integerTable, uniformBlocks } from "../../src/index.js";

const displacement = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -(2 ** 51), max: 2 ** 51 }));
const entries = fc.array(fc.tuple(displacement, fc.integer({ min: 0, max: 5 })), { maxLength: 700 });

describe("displacementOrder", () => {
  it("is the stable ascending order, each block with its own place in the packed stream", () => {
    fc.assert(
      fc.property(entries, (list) => {
        const displacements = integerTable(list.length, (i) => (list[i] as [number, number])[0]);
        const lengths = Int32Array.from(list, ([, length]) => length);
        let packed = 0;
        const expected = list
          .map(([at, length], block) => ({ at, block, packed: (packed += length * 6) - length * 6 }))
          .sort((a, b) => a.at - b.at);
        const order = displacementOrder(blocks(displacements, lengths, 6, dense(6)));
        if (expected.every(({ block }, i) => block === i)) expect(order).toBeUndefined();
        else {
          expect([...(order?.blocks ?? [])]).toEqual(expected.map(({ block }) => block));
          expect([...(order?.packedBytes ?? [])]).toEqual(expected.map(({ packed }) => packed));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("orders uniform blocks, past 2^16 of them and past 2^31 packed bytes", () => {
    const count = 100_000;
    const node = uniformBlocks(
      integerTable(count, (i) => (count - i) * 2 ** 20),
      dense(2 ** 20),
    );
    const order = displacementOrder(node);
    expect(order?.blocks.every((block, i) => block === count - 1 - i)).toBe(true);
    expect(order?.packedBytes[0]).toBe((count - 1) * 2 ** 20);
  });

  it("says that there is nothing to order where displacements never fall", () => {
    expect(displacementOrder(uniformBlocks(Int32Array.of(-4, 0, 0, 9), dense(1)))).toBeUndefined();
    expect(displacementOrder(uniformBlocks(new Int32Array(0), dense(1)))).toBeUndefined();
  });
});
