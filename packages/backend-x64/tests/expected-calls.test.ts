import { conditions, hostMemory, packMove, unpackMove, type Kernel } from "@stowage/backend-api";
import { dense, layout, uniformBlocks, type Layout } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { X64Backend } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";
import type { Target } from "../src/targets/target.js";
import { unknown } from "../src/targets/unknown.js";

const COUNT = 4096;
/** Whose LLC holds the packed bytes of as many blocks, and of what they reach over half. */
const target: Target = { ...unknown, geometry: { ...unknown.geometry, l2Bytes: 0, llcBytes: COUNT * 24 } };
const backend = new X64Backend({ target });

const table = (apart: number, at = (i: number) => (i * 7) % COUNT, block = 8): Layout => {
  const root = uniformBlocks(
    Int32Array.from({ length: COUNT }, (_, i) => at(i) * apart),
    dense(block),
  );
  return layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
};
const SHUFFLED = table(16);
const ASCENDING = table(16, (i) => i + (i > 9 ? 1 : 0));

/** One element's blocks in memory, unpacked from bytes that differ. */
function unpacked(kernel: Kernel): Uint8Array {
  const source = hostMemory(Uint8Array.from({ length: SHUFFLED.sizeBytes }, (_, i) => i * 3 + (i >> 8)));
  const target = hostMemory(new Uint8Array(SHUFFLED.extentBytes));
  const [from, to] = [source, target].map((memory) => ({ memory, originBytes: 0 }));
  const plan = kernel.bind([{ source: from!, target: to!, count: 1, first: 0, length: SHUFFLED.sizeBytes }]);
  plan.run().wait();
  for (const each of [plan, kernel]) each[Symbol.dispose]();
  return target.bytes as Uint8Array;
}

describe.skipIf(!("machine" in probeMachine()))("calls that are expected", () => {
  const move = unpackMove(SHUFFLED);
  const often = conditions({ reuse: 250 });

  test("have tables unpacked in the order of addresses from 250 on, as explain tells", () => {
    const [sorted, plain] = [often, conditions({ reuse: 249 })].map((given) => backend.kernel([move], given));
    expect(sorted!.explain()).toContain("by a table: sorted entries");
    expect(plain!.explain()).toContain("no sorted entries: not 250 calls expected");
    expect(unpacked(sorted!)).toEqual(unpacked(plain!));
  });

  test("are in the key of an artifact where they change its code", () => {
    const keyOf = (reuse: number | undefined, type = move) =>
      backend.compile([type], conditions(reuse === undefined ? {} : { reuse })).key;
    expect(keyOf(250)).not.toBe(keyOf(undefined));
    expect(keyOf(250)).toBe(keyOf(Infinity));
    expect(keyOf(249)).toBe(keyOf(undefined));
    for (const same of [packMove(SHUFFLED), unpackMove(ASCENDING)])
      expect(keyOf(250, same)).toBe(keyOf(undefined, same));
  });

  test.each([
    ["packing", packMove(SHUFFLED), "packing"],
    ["long runs", unpackMove(table(2048, undefined, 2000)), "blocks are not short runs"],
    ["blocks that the LLC holds", unpackMove(table(8, undefined, 4)), "the LLC holds the blocks"],
    [
      "packed bytes that it does not hold",
      unpackMove(table(24, undefined, 12)),
      "the LLC does not hold the packed bytes",
    ],
    ["blocks of a line each", unpackMove(table(64)), "few blocks share a line"],
    ["blocks in order", unpackMove(ASCENDING), "blocks ascend already"],
  ])("change nothing of %s", (_, other, reason) => {
    expect(backend.variant([other], often)).toBe("");
    expect(backend.kernel([other], often).explain()).toContain(`no sorted entries: ${reason}`);
  });

  test("change nothing for threads, which walk parts of a table", () =>
    expect(backend.variant([move], conditions({ reuse: 250, threads: 2 }))).toBe(""));
});
