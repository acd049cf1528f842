import type { MpiFamily } from "@stowage/mpi-abi";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../launch.js";

const LIMIT_MS = 300_000;
const program = (name: string): string => fileURLToPath(new URL(`../../examples/${name}/${name}.mjs`, import.meta.url));

describe.each<MpiFamily>(["openmpi", "mpich"])(`mini-applications under %s (${ADVICE} installs it)`, (family) => {
  const run = (ranks: number, name: string, size: string, length: number) => {
    const command = [process.execPath, program(name), size, String(length), "--iterations", "2", "--check"];
    const { status, output } = launch(family, ranks, command, {}, LIMIT_MS);
    expect(status, output).toBe(0);
    for (const way of ["native", "ours"]) {
      expect(output).toMatch(new RegExp(`^${way}: all \\d+ values( of each rank)? are the serial run's$`, "m"));
    }
  };

  it.skipIf(installed(family) === undefined).each([256, 512, 768, 1024, 1536])(
    "FFT2 of %i rows on 2 ranks leaves what a serial run does",
    (rows) => run(2, "fft2", "--size", rows),
    LIMIT_MS,
  );

  it.skipIf(installed(family) === undefined).each([4, 8, 12, 16])(
    "MILC of %i points a dimension on 4 ranks leaves what a serial run does",
    (points) => run(4, "milc", "--points", points),
    LIMIT_MS,
  );
});
