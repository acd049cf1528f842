import type { MpiFamily } from "@stowage/mpi-abi";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../launch.js";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const readme = readFileSync(file("../../README.md"), "utf8");
const hasMpi4py = existsSync("/usr/lib/python3/dist-packages/mpi4py");

/** A command of the README, and the lines that it says are printed. */
interface Example {
  readonly name: string;
  readonly ranks: number;
  readonly command: readonly string[];
  readonly lines: readonly string[];
}

const EXAMPLES: readonly Example[] = [...readme.matchAll(/```\nmpirun -n (\d) (.*)\n([^`]+)\n```/g)].map(
  ([, ranks, command = "", lines = ""]) => ({
    name: command.replace(/^.*examples\/(\S+)\.(mjs|py).*$/, "$1"),
    ranks: Number(ranks),
    command: command
      .split(" ")
      .map((word) => (word === "node" ? process.execPath : word.replace(/^packages\/mpi-bridge/, file("../..")))),
    lines: lines.split("\n"),
  }),
);

it("the README shows each example", () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual(["halo", "transpose", "python-peer"]);
});

describe.each<MpiFamily>(["openmpi", "mpich"])(`examples under %s (${ADVICE}, scripts/set-up-long.mjs)`, (family) => {
  for (const { name, ranks, command, lines } of EXAMPLES) {
    const isHere = installed(family) !== undefined && (name !== "python-peer" || (hasMpi4py && family === "openmpi"));
    it.skipIf(!isHere)(`${name} prints what the README shows`, () => {
      const { status, output } = launch(family, ranks, command);
      expect(output.trim().split("\n").sort()).toEqual([...lines].sort());
      expect(status).toBe(0);
    });
  }
});
