import { anyLayout } from "@stowage/arbitraries";
import { conditions, copyMove, packMove, unpackMove, type Move } from "@stowage/backend-api";
import { canonicalise, dense, integerTable, layout, stream, uniformBlocks } from "@stowage/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryNames, moduleText } from "../../src/lower/program.js";
import type { Target } from "../../src/target.js";

const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", features: "+avx512f,+avx512vbmi" },
  { triple: "aarch64-unknown-linux-gnu", features: "" },
  { triple: "riscv64-unknown-linux-gnu", features: "+m" },
];

const textOf = (moves: readonly Move[], target = TARGETS[0] as Target): string =>
  moduleText(moves, conditions(), target);

const bothOf = (type: Parameters<typeof packMove>[0]): readonly Move[] => [
  packMove(type),
  unpackMove(type),
  copyMove(type, type),
];

/** Functions of a module, by their bodies. */
const functionsOf = (text: string): readonly string[] => text.match(/^define [^]*?^}/gm) ?? [];

describe("the text of a module, before any LLVM sees it", () => {
  test("every value and label is defined once and every name that is used is defined", () => {
    fc.assert(
      fc.property(anyLayout(), fc.constantFrom(...TARGETS), (type, target) => {
        const text = textOf(bothOf(canonicalise(type)), target);
        const globals = new Set(
          text.match(/^(?:define[^@]*|declare[^@]*)?@[\w.]+/gm)?.map((line) => line.replace(/.*@/, "@")),
        );
        expect(text.match(/@[\w.]+/g)?.filter((name) => !globals.has(name))).toEqual([]);
        for (const body of functionsOf(text)) {
          const values = body.match(/^ {2}%\w+(?= =)/gm)?.map((value) => value.trim()) ?? [];
          const labels = body.match(/^\w+(?=:$)/gm)?.map((label) => `%${label}`) ?? [];
          const parameters = body.split("\n", 1)[0]?.match(/%\w+/g) ?? [];
          const defined = new Set([...values, ...labels, ...parameters]);
          expect(defined.size).toBe(values.length + labels.length + parameters.length);
          expect(body.match(/%\w+/g)?.filter((name) => !defined.has(name))).toEqual([]);
        }
      }),
      { numRuns: Number(process.env["STOWAGE_LAW_RUNS"] ?? 100) },
    );
  });

  test("equal moves share a function", () => {
    const move = packMove(layout(0, stream(4, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 }));
    expect(entryNames([move, unpackMove(move.source), move])).toEqual(["move0", "move1", "move0"]);
    expect(functionsOf(textOf([move, move]))).toHaveLength(functionsOf(textOf([move])).length);
  });

  test("a pack and an unpack of one layout have functions of their own", () => {
    const rows = stream(100, 64, dense(16));
    const both = bothOf(layout(0, stream(7, 8192, rows), { lowerBoundBytes: 0, extentBytes: 65536 })).slice(0, 2);
    const callsOf = (name: string): readonly string[] => {
      const body = functionsOf(textOf(both)).find((text) => text.includes(`@${name}(`)) ?? "";
      return body.match(/@(?:parts|clip)\d+/g) ?? [];
    };
    const [packing, unpacking] = [callsOf("move0"), callsOf("move1")];
    expect(packing.length).toBeGreaterThan(0);
    expect(unpacking.filter((name) => packing.includes(name))).toEqual([]);
  });

  test("a table is one constant, of the narrowest integers that hold it", () => {
    const blocksAt = (apart: number): string => {
      const root = uniformBlocks(
        integerTable(100, (i) => ((i * 37) % 100) * apart),
        dense(12),
      );
      return textOf([packMove(layout(0, root, { lowerBoundBytes: 0, extentBytes: 100 * apart }))]);
    };
    expect(blocksAt(64)).toContain("[100 x i32] [i32 0, i32 2368, ");
    expect(blocksAt(2 ** 40)).toMatch(/\[\d+ x i64\] \[i64 0, /);
  });

  test("what the conditions promise is what accesses state, and no more", () => {
    const type = layout(0, stream(4, 32, dense(16)), { lowerBoundBytes: 0, extentBytes: 128 });
    const promised = moduleText(
      [packMove(type)],
      conditions({ sourceAlignment: 64, targetAlignment: 8 }),
      TARGETS[1] as Target,
    );
    expect(promised).toMatch(/load <2 x i64>, ptr %\w+, align 8/);
    expect(textOf([packMove(type)], TARGETS[1])).toMatch(/load <2 x i64>, ptr %\w+, align 1/);
  });
});
