import { describe, expect, test } from "vitest";
import { checkLaw, LAWS, type LawOptions } from "../src/index.js";
import type { Fault } from "./faults/fault.js";
import { PACKING_FAULTS } from "./faults/packing.js";
import { RANGE_FAULTS } from "./faults/ranges.js";
import { UNPACKING_FAULTS } from "./faults/unpacking.js";

function violationOf({ law: number, factory, options: own }: Fault, options: LawOptions): string {
  const law = LAWS.find((each) => each.number === number);
  try {
    if (law !== undefined) checkLaw(law, factory, { ...own, ...options });
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`law ${number}: expected a violation, got none`);
}

/** A constructor of a datatype, or a node of a layout that is not dense, as a counterexample prints them. */
const CONSTRUCTORS = /"kind":|\bstream \d|\bsequence of\b|\bblocks at\b/g;

const all = [...PACKING_FAULTS, ...UNPACKING_FAULTS, ...RANGE_FAULTS];
// These three take nine tenths of the time, for their cases hold the most bytes: in `npm run test:long` alone.
const LONG = /^(reads past the 64-byte line|reads the gaps|takes the target of a copy)/;
const faults = process.env["STOWAGE_TESTS"] === "long" ? all : all.filter(({ name }) => !LONG.test(name));

describe.each(faults)("a backend that $name", (fault) => {
  test("gets a counterexample of two constructors or fewer, and breaks the law again in that case alone", () => {
    const message = violationOf(fault, { seed: 3, runs: 2000 });
    expect(message.match(CONSTRUCTORS)?.length ?? 0, message).toBeLessThanOrEqual(2);

    const printed = /^replay on simple: STOWAGE_SEED=(\d+) STOWAGE_REPLAY="(.+)" npx vitest run -t "law \d"$/m;
    const [, seed, replay] = printed.exec(message) ?? [];
    const again = violationOf(fault, { seed: Number(seed), replay: String(replay) });
    expect(again.split("\n")[0]).toBe(message.split("\n")[0]);
  });
});
