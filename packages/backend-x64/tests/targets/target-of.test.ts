import { expect, test } from "vitest";
import { DEFAULT_TUNING, tuningFor, tuningOf } from "../../src/options.js";
import { ALTERNATIVES, answersAsFigures, behaviourOfFigures, MEASURABLE } from "../../src/targets/answers.js";
import { PLAIN } from "../../src/targets/behaviour.js";
import { targetOf, TARGETS } from "../../src/targets/target-of.js";
import type { Target } from "../../src/targets/target.js";

const amd = (family: number, model: number) => ({ vendor: "AuthenticAMD", family, model });
const intel = (model: number) => ({ vendor: "GenuineIntel", family: 6, model });

test.each([
  ["Zen 4", amd(0x19, 0x11)],
  ["Zen 4", amd(0x19, 0xa0)],
  ["Zen 5", amd(0x1a, 0x02)],
  ["Golden Cove", intel(0x8f)],
  ["Golden Cove", intel(0xcf)],
  ["Zen 3", amd(0x19, 0x01)],
  ["Zen 3", amd(0x19, 0x21)],
  ["unknown", amd(0x17, 0x31)],
  ["unknown", intel(0xad)],
  ["unknown", { vendor: "AuthenticAMDx", family: 0x1a, model: 0x02 }],
] as const)("%s is what %o is taken for", (name, processor) => {
  expect(targetOf(processor).name).toBe(name);
});

test("on a processor that nobody has measured, the defaults stand and nothing is on that won on some only", () => {
  const tuning = tuningOf({}, targetOf(undefined));
  expect(tuning).toEqual(DEFAULT_TUNING);
  expect([tuning.paddedConflicts, tuning.paddedBlocks, tuning.repMovsbBytes]).toEqual([false, false, Infinity]);
});

test("a target's name is its own, and options stand above it", () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
  for (const target of TARGETS) expect(tuningOf({ paddedConflicts: false }, target).paddedConflicts).toBe(false);
});

test("between cores REP MOVSB begins at runs of their own, and where it is never the faster, nowhere", () => {
  for (const target of TARGETS) {
    const { repMovsbBetweenCoresBytes = Infinity } = target.behaviour;
    expect(tuningOf({ betweenCores: true }, target).repMovsbBytes).toBe(repMovsbBetweenCoresBytes);
    expect(tuningOf({ betweenCores: true, repMovsbBytes: 40 }, target).repMovsbBytes).toBe(40);
  }
});

test("runs that are unpacked have a threshold of their own where it is less, unless the option is given", () => {
  const target = targetOf(amd(0x1a, 0x02));
  const thresholds = (options: Parameters<typeof tuningOf>[0]) =>
    (["pack", "unpack"] as const).map((direction) => tuningFor(direction, tuningOf(options, target)).repMovsbBytes);
  expect(thresholds({})).toEqual([4096, 2048]);
  expect(thresholds({ betweenCores: true })).toEqual([1024, 1024]);
  expect(thresholds({ repMovsbBytes: Infinity })).toEqual([Infinity, Infinity]);
});

test("what cpuid states stands above the family's sizes, but for a dTLB that a hypervisor states too small", () => {
  const { geometry } = targetOf(amd(0x1a, 2), { l2Bytes: 2 ** 19, dtlbPages: 128 });
  expect(geometry).toEqual({ l1d: { sets: 64, ways: 12 }, l2Bytes: 2 ** 19, llcBytes: 2 ** 25, dtlbPages: 4096 });
});

/** A recipe: a new processor is a file like this one, and a line in TARGETS. */
const zen6: Target = {
  name: "Zen 6",
  describes: ({ vendor, family }) => vendor === "AuthenticAMD" && family === 0x1b,
  geometry: { l1d: { sets: 64, ways: 16 }, l2Bytes: 2 ** 21, llcBytes: 2 ** 24, dtlbPages: 6000 },
  reorderBufferEntries: 600,
  fillBuffers: 30,
  unfollowedStrideBytes: 512,
  behaviour: { paddingLimitsConflicts: true },
};

test("a new target is one file: its thresholds follow from its sizes, and where it is silent plain loops stand", () => {
  const target = targetOf(amd(0x1b, 1), {}, [zen6, ...TARGETS]);
  const tuning = tuningOf({}, target);
  expect(target.name).toBe("Zen 6");
  expect([tuning.nonTemporalBytes, tuning.prefetchReachBytes]).toEqual([2 ** 22, 2 ** 19]);
  expect([tuning.paddedConflicts, tuning.paddedBlocks, tuning.repMovsbBytes]).toEqual([true, false, Infinity]);
});

test("where a description is silent what calibration found stands, of this processor only, and never above the description", () => {
  const figures = answersAsFigures(amd(0x1b, 1), {
    paddingLimitsConflicts: false,
    retriesMisses: true,
    repMovsbBytes: false,
  });
  const found = behaviourOfFigures(amd(0x1b, 1), figures);
  expect(found).toEqual({ paddingLimitsConflicts: false, retriesMisses: true, repMovsbBytes: Infinity });
  expect(behaviourOfFigures(amd(0x1b, 2), figures)).toEqual({});
  const tuning = tuningOf({}, zen6, found);
  expect([tuning.paddedConflicts, tuning.paddedBlocks]).toEqual([true, true]);
});

test("every alternative that calibration times differs from the plain way", () => {
  for (const name of MEASURABLE) expect(ALTERNATIVES[name]).not.toBe(PLAIN[name]);
});
