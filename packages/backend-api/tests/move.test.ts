import { ArgumentError, dense, denseLayout, layout, stream } from "@stowage/ir";
import { describe, expect, it } from "vitest";
import { conditions, copyMove, directionOf, DONE, packMove, scatteredLayout, unpackMove } from "../src/index.js";

const scattered = layout(0, stream(4, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 });
const other = layout(8, stream(2, 32, dense(16)), { lowerBoundBytes: 0, extentBytes: 64 });

describe("moves", () => {
  it("have the direction that their dense side gives them", () => {
    const moves = [packMove(scattered), unpackMove(scattered), copyMove(scattered, other), packMove(denseLayout(8))];
    expect(moves.map(directionOf)).toEqual(["pack", "unpack", "copy", "pack"]);
    expect(moves.slice(0, 3).map(scatteredLayout)).toEqual([scattered, scattered, scattered]);
    expect(scatteredLayout(copyMove(other, scattered))).toBe(other);
  });

  it("pair layouts of one size only", () => {
    expect(() => copyMove(scattered, denseLayout(31))).toThrow(
      "target of a copy: expected 32 bytes an element, got 31",
    );
  });
});

it("promises nothing by default, and no condition can be changed afterwards", () => {
  const known = conditions({ count: 3 });
  expect(known).toEqual({
    sourceKind: "host",
    targetKind: "host",
    sourceAlignment: 1,
    targetAlignment: 1,
    count: 3,
    threads: 1,
  });
  expect(Object.isFrozen(known)).toBe(true);
});

it("takes a whole number of threads, 1 or more", () => {
  expect(conditions({ threads: 3 }).threads).toBe(3);
  for (const threads of [0, -1, 1.5, NaN, Infinity]) {
    expect(() => conditions({ threads })).toThrow(
      new ArgumentError("threads", "a whole number of 1 or more", String(threads)),
    );
  }
});

it("takes temporal or streaming stores, or says nothing of them", () => {
  expect(conditions({ stores: "streaming" }).stores).toBe("streaming");
  expect("stores" in conditions()).toBe(false);
  const wrong = { stores: "nontemporal" } as unknown as Parameters<typeof conditions>[0];
  expect(() => conditions(wrong)).toThrow(new ArgumentError("stores", "temporal or streaming", '"nontemporal"'));
});

it("completes runs of the host without a promise: a completion is not thenable", async () => {
  expect(DONE.poll()).toBe(true);
  expect("then" in DONE).toBe(false);
  expect(await Promise.resolve(DONE)).toBe(DONE);
});
