import type { MpiFamily } from "@stowage/mpi-abi";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProgram } from "../describe-programs.js";
import { ADVICE, installed, launch, programFile } from "../launch.js";

describeProgram("shared-memory", [1, 4]);

/** Has the launcher leave the others alone where one is killed. */
const GOES_ON: Readonly<Record<MpiFamily, string>> = { openmpi: "--enable-recovery", mpich: "-disable-auto-cleanup" };

describe.each<MpiFamily>(["openmpi", "mpich"])(`%s (${ADVICE} installs it)`, (family) => {
  const isThere = installed(family) !== undefined;
  it.skipIf(!isThere).each([
    [
      "the sender, ahead of its last pieces",
      /^BridgeError: recv from 1: expected \d+ bytes .*, got an end of its process$/m,
    ],
    ["the sender, behind all of them", /^all bytes are there$/m],
    [
      "the receiver, ahead of the offer",
      /^BridgeError: send to 1: expected its receiver .*, got an end of its process$/m,
    ],
    [
      "the receiver, behind some pieces",
      /^BridgeError: send to 1: expected its receiver .*, got an end of its process$/m,
    ],
  ])("a process that is killed is an error of the other's, not a hang: %s", (step, said) => {
    const folder = mkdtempSync(join(tmpdir(), "stowage-shared-memory-"));
    const file = join(folder, "said");
    const program = [process.execPath, programFile("shared-memory-fault"), step, file];
    const { status, output } = launch(family, 2, [GOES_ON[family], ...program]);
    const got = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    rmSync(folder, { recursive: true });
    expect(status, output).not.toBeNull(); // the time limit had to end it
    // MPICH 4.0.2 (ch4:ucx) ends a process that asks for progress once another has ended.
    if (family === "openmpi" || got !== undefined) expect(got ?? output).toMatch(said);
  });

  it.skipIf(!isThere)("where there is no memory to share messages go in chunks", () => {
    // By a limit of files' lengths, of which the process is told by an error alone.
    const script = `trap "" XFSZ; ulimit -f 32768; exec "$0" "$1"`;
    const { output } = launch(family, 2, ["sh", "-c", script, process.execPath, programFile("no-shared-memory")]);
    for (const rank of [0, 1]) expect(output).toMatch(new RegExp(`^rank ${rank} of 2: 1 passed, 0 failed$`, "m"));
  });
});
