import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLaw, LAWS } from "../../src/index.js";
import { PREDICTION_FAULTS, SUPPORT_FAULTS } from "./answers.js";
import { ARTIFACT_FAULTS } from "./artifacts.js";
import { CANONICAL_FAULTS } from "./canonical.js";
import { ORDER_FAULTS } from "./order.js";
import { OVERLAP_FAULTS } from "./overlaps.js";
import { PACKING_FAULTS } from "./packing.js";
import { RANGE_FAULTS } from "./ranges.js";
import { REDUCING_FAULTS } from "./reducing.js";
import { TABLING_FAULTS } from "./tabling.js";
import { REFUSAL_FAULTS } from "./refusals.js";
import { UNPACKING_FAULTS } from "./unpacking.js";

const FAULTS = [
  ...PACKING_FAULTS,
  ...UNPACKING_FAULTS,
  ...RANGE_FAULTS,
  ...CANONICAL_FAULTS,
  ...SUPPORT_FAULTS,
  ...REFUSAL_FAULTS,
  ...PREDICTION_FAULTS,
  ...ARTIFACT_FAULTS,
  ...ORDER_FAULTS,
  ...OVERLAP_FAULTS,
  ...REDUCING_FAULTS,
  ...TABLING_FAULTS,
];

/** Every seed must find every fault; two stand for all. */
const SEEDS = [20_250_117, 77_777];

/** As many as `npm test` takes (vitest.config.ts), whatever the environment says. */
const RUNS = 100;

describe("the laws catch wrong backends", () => {
  // What is caught is not made smaller, which takes longer than to catch it: shrinking.test.ts does that.
  const usual = fc.readConfigureGlobal();
  beforeAll(() => fc.configureGlobal({ ...usual, endOnFailure: true }));
  afterAll(() => fc.configureGlobal(usual));

  test("there are 30 and more, and every law has its own", () => {
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
    expect([...new Set(FAULTS.map(({ law }) => law))].sort((a, b) => a - b)).toEqual(LAWS.map(({ number }) => number));
  });

  for (const { name, law, says, factory, options } of FAULTS) {
    test.each(SEEDS)(`law ${law}: a backend that ${name} (seed %i)`, (seed) => {
      const broken = LAWS.find(({ number }) => number === law);
      expect(broken).toBeDefined();
      if (broken === undefined) return;
      expect(() => checkLaw(broken, factory, { ...options, seed, runs: RUNS })).toThrow(says);
    });
  }
});
