import { expect, test } from "vitest";
import type { Cpuid } from "../../src/targets/cpuid.js";
import { bytesOf, wayBytesOf } from "../../src/targets/geometry.js";
import { readGeometry } from "../../src/targets/read-geometry.js";

type Leaves = Readonly<Record<number, readonly (readonly [number, number, number, number])[]>>;

/** cpuid of recorded leaves; those that were not asked for are zeroes. */
const recorded =
  (leaves: Leaves): Cpuid =>
  (leaf, subleaf) => {
    const [eax, ebx, ecx, edx] = leaves[leaf]?.[subleaf] ?? [0, 0, 0, 0];
    return { eax, ebx, ecx, edx };
  };

const LARGEST = [0x20, 0, 0, 0] as const;

// Family 26, model 2, in a virtual machine, which shows a dTLB of 128 pages.
const EPYC: Leaves = {
  0: [LARGEST],
  0x8000_0000: [[0x8000_0021, 0, 0, 0]],
  0x8000_0006: [[0x4080_2040, 0x6080_4040, 0x0400_8140, 0x0c00_9140]],
  0x8000_001d: [
    [0x121, 0x02c0_003f, 0x3f, 0],
    [0x122, 0x01c0_003f, 0x3f, 0],
    [0x143, 0x03c0_003f, 0x3ff, 2],
    [0x4163, 0x03c0_003f, 0x7fff, 1],
  ],
};

// Family 6, model 207, in a virtual machine, which shows no TLB.
const XEON: Leaves = {
  0: [LARGEST],
  0x4: [
    [0x7c00_0121, 0x02c0_003f, 0x3f, 0],
    [0x7c00_0122, 0x01c0_003f, 0x3f, 0],
    [0x7c00_0143, 0x03c0_003f, 0x7ff, 0],
    [0x7c07_c163, 0x04c0_003f, 0x3bfff, 4],
  ],
  0x8000_0000: [[0x8000_0008, 0, 0, 0]],
};

test("AMD's leaf of caches, and its dTLB", () => {
  expect(readGeometry(recorded(EPYC))).toEqual({
    l1d: { ways: 12, sets: 64 },
    l2: { ways: 16, sets: 1024 },
    llc: { ways: 16, sets: 32_768 },
    dtlbPages: 128,
  });
});

test("Intel's leaf of caches", () => {
  const { l1d, l2, llc } = readGeometry(recorded(XEON));
  expect([l1d, l2, llc].map((cache) => cache && bytesOf(cache) / 2 ** 10)).toEqual([48, 2048, 300 * 1024]);
  expect(l1d && wayBytesOf(l1d)).toBe(4096);
});

test("Intel's leaf of TLBs: of those that hold data in pages of 4 KiB the largest", () => {
  const translation = [
    [3, 0x8_0001, 16, 0x21],
    [0, 0x1_0001, 64, 0x22],
    [0, 0x4_0004, 8, 0x21],
    [0, 0x10_0003, 128, 0x43],
  ] as const;
  expect(readGeometry(recorded({ ...XEON, 0x18: translation })).dtlbPages).toBe(16 * 128);
});

test("a processor that tells nothing, or only of leaves that it has not", () => {
  expect(readGeometry(recorded({}))).toEqual({});
  expect(readGeometry(recorded({ ...XEON, 0: [[1, 0, 0, 0]] }))).toEqual({});
});

test("caches of other lines and of several partitions are left out", () => {
  const odd = (ebx: number): Leaves => ({ 0: [LARGEST], 0x4: [[0x121, ebx, 0x3f, 0]] });
  expect(readGeometry(recorded(odd(0x02c0_007f)))).toEqual({});
  expect(readGeometry(recorded(odd(0x02c0_103f)))).toEqual({});
});
