import { describe, expect, test } from "vitest";
import { applyPass } from "../../src/canonicalise/apply-pass.js";
import {
  blocks,
  dense,
  integerTable,
  layout,
  PASSES,
  printLayout,
  sequence,
  stream,
  type LayoutNode,
} from "../../src/index.js";

const table = (values: readonly number[]) => integerTable(values.length, (i) => values[i] as number);
const members = (count: number, nodeOf: () => LayoutNode, strideBytes: number) =>
  Array.from({ length: count }, (_, i) => ({ offsetBytes: i * strideBytes, node: nodeOf() }));

/** A layout of this node, by one pass alone. */
function by(name: string, node: LayoutNode): string {
  const pass = PASSES.find((each) => each.name === name);
  if (pass === undefined) throw new Error(`no pass ${name}`);
  const bounds = { lowerBoundBytes: 0, extentBytes: 100_000 };
  return printLayout(applyPass(pass, layout(0, node, bounds)));
}

const plain = (node: LayoutNode): string => printLayout(layout(0, node, { lowerBoundBytes: 0, extentBytes: 100_000 }));

describe("recoverStreams", () => {
  test("finds equal members of a sequence, each a node of its own", () => {
    const pairs = () => stream(2, 9, dense(2));
    expect(by("recoverStreams", sequence(members(8, pairs, 50)))).toBe(plain(stream(8, 50, pairs())));
  });

  test("finds equal runs in a list of runs", () => {
    const runs = blocks(table([0, 10, 20, 30]), table([2, 2, 2, 2]), 1, dense(1));
    expect(by("recoverStreams", runs)).toBe(plain(stream(4, 10, dense(2))));
  });

  test("takes copies that overlap for no runs", () => {
    const overlapping = blocks(table([0, 50, 100, 150]), table([2, 2, 2, 2]), 1, dense(8));
    expect(by("recoverStreams", overlapping)).toBe(plain(overlapping));
  });
});

test("flattenSequence leaves a sequence whose members would be more than 256", () => {
  const inner = () => sequence(members(150, () => dense(2), 9));
  const few = sequence(members(1, inner, 3000));
  const many = sequence(members(2, inner, 3000));
  expect(by("flattenSequence", few)).not.toBe(plain(few));
  expect(by("flattenSequence", many)).toBe(plain(many));
});
