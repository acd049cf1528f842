import type { MpiFamily } from "@stowage/mpi-abi";
import { describe, expect, it } from "vitest";
import { describeProgram } from "./describe-programs.js";
import { ADVICE, installed, launchProgram } from "./launch.js";

describeProgram("misuse", [1, 2]);

describe.each<MpiFamily>(["openmpi", "mpich"])(`a worker under %s (${ADVICE} installs it)`, (family) => {
  it.skipIf(installed(family) === undefined)("uses MPI beside the thread that started it, and does not end it", () => {
    const { status, output } = launchProgram(family, 2, "worker");
    for (const rank of [0, 1]) {
      const told =
        'openMpi: expected the thread that started MPI, or { threadLevel: "multiple" } as it was started, got';
      const lines = output.split("\n").filter((line) => line.startsWith(`rank ${rank}: `));
      expect([`worker got ${rank + 1}`, `worker refused: ${told} another thread, and`]).toContainEqual(
        lines[0]?.slice("rank 0: ".length).replace(/, and \w+$/, ", and"),
      );
      expect(lines[1]).toBe(`rank ${rank}: main goes on`);
    }
    expect(status, output).toBe(0);
  });
});
