import { expect, test } from "vitest";
import { probeMachine } from "../../src/memory/machine.js";
import { geometryOf, type ReadCpuid } from "../../src/targets/read-geometry.js";

type Leaves = Readonly<Record<string, readonly [number, number, number, number]>>;

const reading =
  (leaves: Leaves): ReadCpuid =>
  (leaf, subleaf) =>
    leaves[`${leaf.toString(16)}.${subleaf}`] ?? [0, 0, 0, 0];

test("an EPYC of family 1Ah says its caches by leaf 8000001Dh", () => {
  const read = reading({
    "8000001d.0": [0x121, 0x02c0003f, 0x3f, 0],
    "8000001d.1": [0x122, 0x01c0003f, 0x3f, 0],
    "8000001d.2": [0x143, 0x03c0003f, 0x3ff, 2],
    "8000001d.3": [0x4163, 0x03c0003f, 0x7fff, 1],
    "80000006.0": [0x40802040, 0x60804040, 0x04008140, 0x0c009140],
  });
  const l1d = { sets: 64, ways: 12 };
  expect(geometryOf(read)).toEqual({ l1d, l2Bytes: 2 ** 20, llcBytes: 2 ** 25, dtlbPages: 128 });
});

test("a Xeon of model CFh says its caches by leaf 4, and behind a hypervisor nothing of its dTLB", () => {
  const read = reading({
    "4.0": [0x7c000121, 0x02c0003f, 0x3f, 0],
    "4.1": [0x7c000122, 0x01c0003f, 0x3f, 0],
    "4.2": [0x7c000143, 0x03c0003f, 0x7ff, 0],
    "4.3": [0x7c07c163, 0x04c0003f, 0x3bfff, 4],
  });
  expect(geometryOf(read)).toEqual({ l1d: { sets: 64, ways: 12 }, l2Bytes: 2 ** 21, llcBytes: 300 * 2 ** 20 });
});

test("leaf 18h gives the largest TLB of data's small pages", () => {
  const read = reading({
    "18.0": [3, 0, 0, 0],
    "18.1": [0, 0x00080001, 16, 0x22], // instructions
    "18.2": [0, 0x00060001, 16, 0x21],
    "18.3": [0, 0x00100001, 128, 0x43],
  });
  expect(geometryOf(read)).toEqual({ dtlbPages: 2048 });
});

test("a processor that says nothing of its caches has no geometry of its own", () => {
  expect(geometryOf(reading({}))).toEqual({});
});

test("this machine's L1d has sets and ways of 32 KiB at least", () => {
  const probed = probeMachine();
  if (!("machine" in probed)) throw new Error(`expected a machine, got none: ${probed.reason}`);
  const { sets, ways } = probed.machine.target.geometry.l1d;
  expect(sets * ways * 64).toBeGreaterThanOrEqual(2 ** 15);
});
