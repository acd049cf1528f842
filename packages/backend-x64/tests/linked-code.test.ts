import { anyLayout } from "@stowage/arbitraries";
import { frameRows, general, type Fragment } from "@stowage/asm-x64";
import { conditions, copyMove, packMove, unpackMove, type Move } from "@stowage/backend-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { elementMachineCode, FEATURE_LEVELS, machineCode, MOST_ELEMENT_BYTES } from "../src/index.js";
import { reasonAgainst } from "../src/supports.js";

const RUNS = Number(process.env["STOWAGE_LAW_RUNS"] ?? 1000);
const SEED = Number(process.env["STOWAGE_SEED"] ?? 1);

/** Where code may be entered by its address it begins with ENDBR64, and no branch to an address is tracked. */
function expectTracking({ assembler }: Fragment): void {
  const rows = assembler.lines().map(({ row }) => row);
  expect(rows[0]).toBe(general.endbr64);
  rows.forEach((row, i) => {
    if (row === general.call_rm64 || row === general.jmp_rm64) expect(rows[i - 1]).toBe(general.notrack);
  });
}

/** frameRows() throws where a return would not go where the call came from. */
function expectFrames({ assembler, code }: Fragment): void {
  const { rows, endBytes } = frameRows(assembler);
  expect(rows[0]).toEqual({ offset: 0, cfaBytes: 8, saved: [] });
  expect(endBytes).toBeLessThanOrEqual(code.length);
}

test("code to be linked keeps to branch tracking and shadow stacks, and its frames can be told at every instruction", () => {
  fc.assert(
    fc.property(anyLayout(), anyLayout({ disjoint: true }), fc.constantFrom(...FEATURE_LEVELS), (one, other, level) => {
      const moves: readonly Move[] = [packMove(one), unpackMove(one), copyMove(other, other)];
      for (const move of moves) {
        if (reasonAgainst(move) !== undefined) continue;
        const programs = [machineCode(move, conditions(), { level })];
        if (move.source !== move.target && one.sizeBytes <= MOST_ELEMENT_BYTES)
          programs.push(elementMachineCode(move, { level }));
        for (const program of programs) {
          expectTracking(program);
          expectFrames(program);
        }
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
