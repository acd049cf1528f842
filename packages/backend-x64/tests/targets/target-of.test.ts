import { expect, test } from "vitest";
import { DEFAULT_TUNING, tuningOf } from "../../src/options.js";
import { describedTarget, targetOf, TARGETS } from "../../src/targets/target-of.js";

const amd = (family: number, model: number) => ({ vendor: "AuthenticAMD", family, model });

test.each([
  ["Zen 4", amd(0x19, 0x11)],
  ["Zen 4", amd(0x19, 0xa0)],
  ["Zen 5", amd(0x1a, 0x02)],
  ["unknown", amd(0x19, 0x01)],
  ["unknown", amd(0x17, 0x31)],
  ["Golden Cove", { vendor: "GenuineIntel", family: 6, model: 0xcf }],
  ["unknown", { vendor: "GenuineIntel", family: 6, model: 0x55 }],
  ["unknown", { vendor: "AuthenticAMDx", family: 0x1a, model: 0x02 }],
] as const)("%s is what %o is taken for", (name, processor) => {
  expect(describedTarget(processor).name).toBe(name);
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
    expect(between).toBe(target.behaviour.repMovsbBetweenCoresBytes);
    expect(between).toBeLessThanOrEqual(alone as number);
    expect(tuningOf({ betweenCores: true, repMovsbBytes: 40 }, target).repMovsbBytes).toBe(40);
  }
});

test("caches are those that cpuid tells of, and the dTLB no less than a description says", () => {
  const [l1d, l2] = [
    { ways: 16, sets: 64 },
    { ways: 16, sets: 4096 },
  ];
  const { name, hardware } = targetOf({ ...amd(0x1a, 2), geometry: { l1d, l2, dtlbPages: 128 } });
  expect([name, hardware.l1d, hardware.l2]).toEqual(["Zen 5", l1d, l2]);
  expect(hardware.llc).toEqual(describedTarget(amd(0x1a, 2)).hardware.llc);
  expect(hardware.dtlbPages).toBe(4096);
  expect(targetOf({ vendor: "Other", family: 1, model: 1, geometry: { dtlbPages: 8192 } }).hardware.dtlbPages).toBe(
    8192,
  );
});

test("thresholds follow the caches: non-temporal stores a quarter of the LLC, 8 MiB at most, and prefetches half of L2", () => {
  const of = (llcSets: number, l2Sets: number) => {
    const geometry = { llc: { ways: 16, sets: llcSets }, l2: { ways: 16, sets: l2Sets } };
    const { nonTemporalBytes, prefetchReachBytes } = tuningOf({}, targetOf({ ...amd(0x1a, 2), geometry }));
    return [nonTemporalBytes, prefetchReachBytes];
  };
  expect(of(32_768, 1024)).toEqual([2 ** 23, 2 ** 19]);
  expect(of(8192, 2048)).toEqual([2 ** 21, 2 ** 20]);
  expect(of(2 ** 18, 512)).toEqual([2 ** 23, 2 ** 18]);
});
