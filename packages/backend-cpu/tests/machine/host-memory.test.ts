import { addressSpace, hostMemory } from "@stowage/backend-api";
import { dense, integerTable, layout, stream, uniformBlocks } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { compileDame, loadDame, pack, startState, unpack } from "../../src/index.js";

/** Regions far beyond 2^32, each 64 bytes whose values are the region's number. */
const STARTS = [0, 2 ** 33, 2 ** 33 + 64, 2 ** 52];
const space = () => {
  const views = STARTS.map((_, i) => new Uint8Array(64).fill(i + 1));
  return {
    views,
    memory: addressSpace(STARTS.map((startBytes, i) => ({ startBytes, buffer: hostMemory(views[i] as Uint8Array) }))),
  };
};

const addresses = [2 ** 52 + 40, 8, 2 ** 33 + 60, 2 ** 33 + 64 + 12, 0];
const load = (lengthBytes: number, at: readonly number[]) => {
  const root = uniformBlocks(
    integerTable(at.length, (i) => at[i] as number),
    dense(lengthBytes),
  );
  return loadDame(compileDame(layout(0, root, { lowerBoundBytes: 0, extentBytes: 2 ** 53 - 1 })), 2 ** 53 - 1);
};

describe("an address space of several buffers", () => {
  test("each block moves within its own buffer", () => {
    const packed = new Uint8Array(20);
    pack(startState(load(4, addresses)), space().memory, packed);
    expect(Array.from(packed)).toEqual([4, 1, 2, 3, 1].flatMap((value) => [value, value, value, value]));
  });

  test("unpacking writes there and nowhere else", () => {
    const { views, memory } = space();
    unpack(startState(load(4, addresses)), new Uint8Array(20).fill(0xee), memory);
    const written = views.map((view) => Array.from(view.keys()).filter((i) => view[i] === 0xee));
    expect(written).toEqual([
      [0, 1, 2, 3, 8, 9, 10, 11],
      [60, 61, 62, 63],
      [12, 13, 14, 15],
      [40, 41, 42, 43],
    ]);
  });

  test("a regular loop may go through several", () => {
    const root = stream(32, 4, dense(2));
    const loaded = loadDame(compileDame(layout(0, root, { lowerBoundBytes: 0, extentBytes: 128 })), 128);
    const packed = new Uint8Array(64);
    pack(startState(loaded, { originBytes: 2 ** 33 }), space().memory, packed);
    expect(Array.from(packed)).toEqual([...Array<number>(32).fill(2), ...Array<number>(32).fill(3)]);
  });

  test("a block across two buffers, or in none, is refused with its bytes named", () => {
    const refused =
      (address: number): (() => number) =>
      () =>
        pack(startState(load(4, [address])), space().memory, new Uint8Array(4));
    expect(refused(2 ** 33 + 62)).toThrow(
      `expected every run within one buffer, got bytes ${2 ** 33 + 62} to ${2 ** 33 + 66}`,
    );
    expect(refused(64)).toThrow("got bytes 64 to 68");
    expect(refused(-4)).toThrow("got bytes -4 to 0");
  });
});
