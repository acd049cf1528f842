import { dense, layout, stream } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactKey, conditions, packMove, unpackMove, type Conditions, type Move } from "../src/index.js";

const element = (strideBytes: number): Move =>
  packMove(layout(0, stream(4, strideBytes, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 }));
const key = (moves: readonly Move[], known: Partial<Conditions> = {}): string =>
  artifactKey("cpu", 1, moves, conditions(known));

describe("artifactKey", () => {
  it("is the same for equal moves and conditions, whoever built them", () => {
    expect(key([element(16)], { count: 3 })).toBe(key([element(16)], { count: 3 }));
    expect(key([element(16)])).toMatch(/^cpu-1-[0-9a-f]{16}$/);
  });

  it("holds no expected calls: backends say what those change", () => {
    expect(key([element(16)], { reuse: 1000 })).toBe(key([element(16)]));
  });

  it("differs in backend, version, moves, their order and direction, and every other condition", () => {
    const move = element(16);
    const other = element(24);
    const unpack = unpackMove(move.source);
    const keys = [
      key([move]),
      artifactKey("x64", 1, [move], conditions()),
      artifactKey("cpu", 2, [move], conditions()),
      key([other]),
      key([unpack]),
      key([]),
      key([move, move]),
      key([move, other]),
      key([other, move]),
      key([move], { sourceKind: "pinned" }),
      key([move], { targetKind: "pinned" }),
      key([move], { sourceAlignment: 8 }),
      key([move], { targetAlignment: 8 }),
      key([move], { count: 1 }),
      key([move], { smBudget: 1 }),
      key([move], { threads: 2 }),
      key([move], { stores: "temporal" }),
      key([move], { stores: "streaming" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("tells layouts apart where their hashes do", () => {
    fc.assert(
      fc.property(anyLayout(), fc.integer({ min: 1, max: 9 }), (source, more) => {
        const wider = { ...source, extentBytes: source.extentBytes + more };
        expect(key([packMove(source)])).not.toBe(key([packMove(wider)]));
      }),
      { numRuns: 2000 },
    );
  });
});
