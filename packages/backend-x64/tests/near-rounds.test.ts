import { conditions, packMove, unpackMove, type Move } from "@stowage/backend-api";
import { dense, layout, stream, type Layout } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { runsOn } from "../src/feature-level.js";
import { X64Backend } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { differenceOf } from "./raw.js";
import { simulatedDifferenceOf } from "./simulate.js";

const probed = probeMachine();
const runs = "machine" in probed && runsOn("avx2", probed.machine.level);
const every = (bytes: number, apart: number): Layout =>
  layout(0, dense(bytes), { lowerBoundBytes: 0, extentBytes: apart });

/** One round and nothing more, rounds and a rest, and many: the blocks end where the guard page begins. */
const COUNTS = [31, 32, 33, 48, 63, 64, 65, 203];

describe.runIf(runs)("near blocks, packed at AVX2", () => {
  test.each(Array.from({ length: 50 }, (_, i) => i + 1))(
    "blocks of %i bytes, 1 to 18 apart, read and write nothing outside",
    (bytes) => {
      for (let gap = 1; gap <= 18; gap++) {
        for (const count of COUNTS) {
          const flush = count % 2 === 0 ? "start" : "end";
          expect(
            differenceOf(every(bytes, bytes + gap), { count, first: 0, length: count * bytes }, "pack", "avx2", flush),
          ).toBeUndefined();
        }
      }
    },
  );

  test.each([
    [17, 24],
    [12, 16],
    [4, 8],
    [8, 16],
    [3, 4],
    [1, 2],
    [6, 8],
    [9, 16],
    [36, 40],
  ])("streams of %i of %i bytes inside elements, and ranges of them", (bytes, apart) => {
    const inner = layout(0, stream(3, 50 * apart, stream(41, apart, dense(bytes))), {
      lowerBoundBytes: 0,
      extentBytes: 200 * apart,
    });
    const total = 2 * inner.sizeBytes;
    for (const [first, length] of [
      [0, total],
      [1, total - 2],
      [bytes * 5 + 1, inner.sizeBytes],
      [inner.sizeBytes - 3, 40],
    ] as const) {
      for (const flush of ["start", "end"] as const) {
        expect(differenceOf(inner, { count: 2, first, length }, "pack", "avx2", flush)).toBeUndefined();
        expect(differenceOf(inner, { count: 2, first, length }, "unpack", "avx2", flush)).toBeUndefined();
      }
    }
  });

  const listingOf = (move: Move, permutedBlocks = true): string => {
    const backend = new X64Backend({ level: "avx2", permutedBlocks });
    using kernel = backend.load(backend.compile([move], conditions()));
    return kernel.explain();
  };
  const chosen = /vpblendvb|vpblendd|vpshufb|vpermd/;

  test.each([
    [17, 24, "vpblendvb"],
    [12, 16, "vpblendd"],
    [4, 8, "vpermd"],
    [3, 4, "vpshufb"],
    [1, 2, "vpshufb"],
  ])(
    "%i of %i bytes are packed by %s, unless that is turned off, and never unpacked so",
    (bytes, apart, instruction) => {
      expect(listingOf(packMove(every(bytes, apart)))).toContain(instruction);
      expect(listingOf(packMove(every(bytes, apart)), false)).not.toMatch(chosen);
      expect(listingOf(unpackMove(every(bytes, apart)))).not.toMatch(chosen);
    },
  );

  test("every second double of a short stream is, of a long one or of elements is not", () => {
    const doubles = (count: number) =>
      packMove(layout(0, stream(count, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 16 * count - 8 }));
    expect(listingOf(doubles(128))).toContain("vpermd");
    expect(listingOf(doubles(4096))).not.toMatch(chosen);
    expect(listingOf(packMove(every(8, 16)))).not.toMatch(chosen);
  });

  test.each([
    ["15 of 16 bytes: one move each does", 15, 16],
    ["24 of 32 bytes: whole words", 24, 32],
    ["12 of 96 bytes: lines lie between", 12, 96],
    ["4 of 64 bytes: sparse", 4, 64],
    ["5 of 16 bytes: as many moves", 5, 16],
  ])("%s, so they are not", (_, bytes, apart) => {
    expect(listingOf(packMove(every(bytes, apart)))).not.toMatch(chosen);
  });
});

test.each([
  [17, 24],
  [12, 16],
  [4, 8],
  [4, 20],
  [8, 16],
  [3, 4],
  [1, 2],
  [1, 12],
  [6, 8],
  [9, 16],
  [33, 40],
  [36, 40],
])("on the simulated processor, %i of %i bytes at AVX2", (bytes, apart) => {
  for (const count of [32, 64, 101]) {
    expect(
      simulatedDifferenceOf(
        every(bytes, apart),
        { count, first: 0, length: count * bytes },
        "pack",
        "avx2",
        DEFAULT_TUNING,
      ),
    ).toBeUndefined();
  }
});
