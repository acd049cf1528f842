import { boundsOf, lower, runs, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyDatatype, anyLayout } from "../src/index.js";
import { depthOf, FEATURES, LAYOUT_FEATURES, partsOf } from "./features.js";

const SEED = 20_260_501;
const SAMPLES = 2000;

/** A feature that fewer cases than this show would not be seen in a run of the laws. */
const FEWEST = 8;

const sample = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { seed: SEED, numRuns: SAMPLES });

describe(`anyDatatype reaches, in ${SAMPLES} samples of seed ${SEED}`, () => {
  const types = sample(anyDatatype());
  const disjoint = sample(anyDatatype({ disjoint: true }));

  test.each(Object.keys(FEATURES))("%s", (name) => {
    const found = types.filter((type) => [...partsOf(type)].some((part) => FEATURES[name]?.(part)));
    expect(found.length).toBeGreaterThan(FEWEST);
  });

  test.each(Object.keys(FEATURES).filter((name) => name !== "overlapping indices"))("%s, disjoint", (name) => {
    const found = disjoint.filter((type) => [...partsOf(type)].some((part) => FEATURES[name]?.(part)));
    expect(found.length).toBeGreaterThan(FEWEST);
  });

  test("nesting of 20 to 200 levels", () => {
    expect(types.filter((type) => depthOf(type) > 20).length).toBeGreaterThan(FEWEST);
    expect(types.filter((type) => depthOf(type) > 150).length).toBeGreaterThan(FEWEST);
  });

  test("more than 2^32 bytes where sparse ones are asked for, and never where not", () => {
    const isFar = (reachBytes: number): boolean => reachBytes > 2 ** 32;
    const sparse = sample(anyDatatype({ sparse: true }));
    expect(sparse.filter((type) => isFar(boundsOf(type).trueExtentBytes)).length).toBeGreaterThan(100);
    expect(types.filter((type) => isFar(boundsOf(type).trueExtentBytes)).length).toBe(0);
  });

  test("mostly datatypes that hold bytes", () => {
    expect(types.filter((type) => boundsOf(type).sizeBytes > 0).length).toBeGreaterThan(SAMPLES / 2);
  });
});

describe(`anyLayout reaches, in ${SAMPLES} samples of seed ${SEED}`, () => {
  const layouts = sample(anyLayout());

  test.each(Object.keys(LAYOUT_FEATURES))("%s", (name) => {
    expect(layouts.filter((layout) => LAYOUT_FEATURES[name]?.(layout)).length).toBeGreaterThan(FEWEST);
  });
});

/** Whether no byte is met twice in three elements. */
function isDisjoint(layout: Layout): boolean {
  const count = 3;
  const met = [...runs(layout, { count, first: 0, length: count * layout.sizeBytes })];
  met.sort((a, b) => a.offsetBytes - b.offsetBytes);
  return met.every(({ offsetBytes }, i) => {
    const before = met[i - 1];
    return before === undefined || before.offsetBytes + before.lengthBytes <= offsetBytes;
  });
}

describe("what is asked for as disjoint", () => {
  test("is disjoint in datatypes, sparse ones too", () => {
    fc.assert(
      fc.property(anyDatatype({ disjoint: true, sparse: true }), (type) => isDisjoint(lower(type))),
      { seed: SEED, numRuns: SAMPLES },
    );
  });

  test("is disjoint in layouts", () => {
    fc.assert(fc.property(anyLayout({ disjoint: true }), isDisjoint), { seed: SEED, numRuns: SAMPLES });
  });

  test("is not so by chance: others overlap", () => {
    expect(sample(anyDatatype()).filter((type) => !isDisjoint(lower(type))).length).toBeGreaterThan(SAMPLES / 20);
  });
});

test("datatypes stay within the limits", () => {
  const limits = { maxSizeBytes: 100, maxReachBytes: 500, depth: 3 };
  for (const type of sample(anyDatatype(limits))) {
    expect(boundsOf(type).sizeBytes).toBeLessThanOrEqual(100);
    expect(boundsOf(type).trueExtentBytes).toBeLessThanOrEqual(500);
  }
});
