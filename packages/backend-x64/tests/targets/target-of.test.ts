import { expect, test } from "vitest";
import { DEFAULT_TUNING, tuningFor, tuningOf } from "../../src/options.js";
import { targetOf, TARGETS } from "../../src/targets/target-of.js";

const amd = (family: number, model: number) => ({ vendor: "AuthenticAMD", family, model });

test.each([
  ["Zen 4", amd(0x19, 0x11)],
  ["Zen 4", amd(0x19, 0xa0)],
  ["Zen 5", amd(0x1a, 0x02)],
  ["unknown", amd(0x19, 0x01)],
  ["unknown", amd(0x17, 0x31)],
  ["unknown", { vendor: "GenuineIntel", family: 6, model: 0x8f }],
  ["unknown", { vendor: "AuthenticAMDx", family: 0x1a, model: 0x02 }],
] as const)("%s is what %o is taken for", (name, processor) => {
  expect(targetOf(processor).name).toBe(name);
});

test("on a processor that nobody has measured, the defaults stand and nothing is on that won on some only", () => {
  const tuning = tuningOf({}, targetOf(undefined));
  expect(tuning).toEqual(DEFAULT_TUNING);
  expect([tuning.limitSetConflicts, tuning.paddedBlocks, tuning.repMovsbBytes]).toEqual([false, false, Infinity]);
});

test("a target's name is its own, and options stand above it", () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
  for (const target of TARGETS) expect(tuningOf({ limitSetConflicts: false }, target).limitSetConflicts).toBe(false);
});

test("between cores REP MOVSB begins at shorter runs, and where it is never the faster, nowhere", () => {
  for (const target of TARGETS) {
    const [alone, between] = [false, true].map((betweenCores) => tuningOf({ betweenCores }, target).repMovsbBytes);
    expect(between).toBe(target.repMovsbBetweenCoresBytes);
    expect(between).toBeLessThanOrEqual(alone as number);
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
