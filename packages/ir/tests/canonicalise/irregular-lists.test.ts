import { expect, test } from "vitest";
import { canonicalise, indexedBlock, lower, predefined, verifyLayout, type LayoutNode } from "../../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");

/** Displacements 1 to `most` apart, by a linear congruential generator: every most-th has a neighbour. */
function apart(count: number, most: number): Int32Array {
  let [state, at] = [12345, 0];
  return Int32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (at += 1 + ((state >> 8) % most));
  });
}

const tableBytes = (node: LayoutNode): number =>
  node.kind === "blocks"
    ? node.displacementsBytes.byteLength + (node.blocklengths === 1 ? 0 : node.blocklengths.byteLength)
    : 0;

test.each([1, 2, 3, 7, 50])("a list of displacements 1 to %i apart keeps its byte map", (most) => {
  const before = lower(indexedBlock(1, apart(20_000, most), DOUBLE));
  verifyLayout(before, canonicalise(before));
});

test("the tables of a list and its canonical form take at most twice the list, whatever touches", () => {
  for (const most of [2, 3, 7, 50]) {
    const list = apart(100_000, most);
    const before = lower(indexedBlock(1, list, DOUBLE));
    const after = canonicalise(before);
    expect(tableBytes(before.root)).toBe(list.byteLength);
    expect(tableBytes(after.root)).toBeLessThanOrEqual(2 * list.byteLength);
  }
});

test("blocks that touch far from the first one are joined in doubles", () => {
  const { root } = canonicalise(lower(indexedBlock(1, [0, 2 ** 30, 2 ** 30 + 1, 2 ** 30 + 5], DOUBLE)));
  expect(root).toMatchObject({
    displacementsBytes: Float64Array.of(0, 2 ** 33, 2 ** 33 + 40),
    blocklengths: Int32Array.of(8, 16, 8),
  });
});
