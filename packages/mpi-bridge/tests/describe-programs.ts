import type { MpiFamily } from "@stowage/mpi-abi";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launchProgram } from "./launch.js";

/**
 * Runs a program of checks on so many ranks, under each MPI or some: no rank may fail any, and each must reach its end.
 */
export function describeProgram(
  program: string,
  ranks: readonly number[],
  environments: Readonly<Record<string, NodeJS.ProcessEnv>> = { "": {} },
  families: readonly MpiFamily[] = ["openmpi", "mpich"],
): void {
  describe.each(families)(`${program} under %s (${ADVICE} installs it)`, (family) => {
    for (const count of ranks) {
      for (const [name, environment] of Object.entries(environments)) {
        it.skipIf(installed(family) === undefined)(`holds on ${count} ranks ${name}`, () => {
          const { status, output } = launchProgram(family, count, program, environment);
          const failures = output.split("\n").filter((line) => /FAILED/.test(line));
          expect(failures, output).toEqual([]);
          for (let rank = 0; rank < count; rank++) {
            expect(output).toMatch(new RegExp(`^rank ${rank} of ${count}: [1-9]\\d* passed, 0 failed$`, "m"));
          }
          expect(status, output).toBe(0);
        });
      }
    }
  });
}
