// Experiments on what options of x64, or targets, do to its code: the same moves over the same memory, in turns.
import { dense, layout, stream } from "@stowage/ir";
import { DIRECTIONS, moveOn, x64On } from "./host.mjs";

/** Blocks at one stride. */
export const blocksAt = (count, bytes, stride) => stream(count, stride, dense(bytes));

/** One element of a root, to its last byte. */
export const elementOf = (root) => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });

/**
 * `shapes(given)` yields { workload, type, count, directions, contenders }: layouts, and sets of options by name, where
 * not those of `contenders`, the first of which the others are compared with.
 */
export const optionsExperiment = ({ name, question, rounds, options = {}, trial, contenders = {}, shapes }) => ({
  ...{ name, question, kind: "moves" },
  options: { rounds: { kind: "number", says: "samples", byDefault: rounds }, ...options },
  trial: { rounds: 1, ...trial },
  sampling: ({ rounds: most }) => ({ budgetMs: 0, rounds: most, sampleUs: 150, warmUpMs: 2 }),
  *cells(given, lab) {
    let made = 0;
    for (const shape of shapes(given)) {
      if (lab.trial && made++ > 3) return;
      for (const direction of shape.directions ?? DIRECTIONS)
        yield {
          ...moveOn(shape.workload, shape.type, direction, shape.count ?? 1, given.memories),
          own: shape.contenders ?? contenders,
        };
    }
  },
  contenders: (cell) => Object.fromEntries(Object.entries(cell.own).map(([who, each]) => [who, x64On(cell, each)])),
});

/** "1032/1200": runs of so many bytes at a stride, as many as have some size, which is not less than one of them. */
export function* longShapes({ shapes }, sizes) {
  for (const [run, stride] of shapes.map((shape) => shape.split("/").map(Number)))
    for (const count of new Set(sizes.map((size) => Math.floor(size / run)).filter((each) => each > 0)))
      yield { workload: `${count} of ${run} at ${stride} bytes`, type: elementOf(blocksAt(count, run, stride)) };
}

/** "17/24,12/16": blocks of so many bytes at a stride, packed, at some sizes. */
export const shapesOption = (byDefault) => ({ shapes: { kind: "texts", says: "BLOCK/STRIDE, several", byDefault } });

export function* packedShapes({ shapes }, sizes) {
  for (const [block, stride] of shapes.map((shape) => shape.split("/").map(Number)))
    for (const size of sizes) {
      const type = layout(0, dense(block), { lowerBoundBytes: 0, extentBytes: stride });
      const count = Math.max(1, Math.floor(size / block));
      yield { workload: `${block} of ${stride} bytes`, type, count, directions: ["pack"] };
    }
}
