import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LlvmBackend, type LlvmOptions } from "../../../src/index.js";
import { goldenMoves } from "../../golden-moves.js";
import { reasonAgainst } from "../../installed.js";
import { caseFile } from "./case-file.js";

const SOURCE = fileURLToPath(new URL("run-cases.c", import.meta.url));

interface Emulated {
  readonly compiler: string;
  readonly run: readonly string[];
  readonly options: LlvmOptions;
}

const TARGETS: Readonly<Record<string, Emulated>> = {
  "x86-64": { compiler: "gcc", run: [], options: { level: 1 } },
  AArch64: {
    compiler: "aarch64-linux-gnu-gcc",
    run: ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    options: { triple: "aarch64-linux-gnu", level: 1 },
  },
  "AArch64 that faults on addresses that are not aligned": {
    compiler: "aarch64-linux-gnu-gcc",
    run: ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    options: { triple: "aarch64-linux-gnu", features: "+strict-align", level: 1 },
  },
  "RISC-V": {
    compiler: "riscv64-linux-gnu-gcc",
    run: ["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"],
    options: { triple: "riscv64-linux-gnu", features: "+m,+a,+f,+d,+c", level: 1 },
  },
};

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const moves = goldenMoves();

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "cross-"))));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(TARGETS))("golden types on %s", (name, { compiler, run, options }) => {
  const missing = [compiler, ...run.slice(0, 1)].filter((program) => !isThere(program));
  const reason =
    reasonAgainst(options) ?? (missing.length === 0 ? undefined : `no ${missing.join(" and no ")} is installed`);

  test.skipIf(reason === undefined)(`are not run here: ${reason}`, () => expect(reason).toMatch(/^[^\n]+$/));

  test.runIf(reason === undefined)(
    "move what Open MPI moves, in both directions, as a whole and in parts",
    () => {
      const [program, cases] = [join(folder, name.replaceAll(/\W/g, "-")), join(folder, "cases")];
      const compiled = spawnSync(compiler, ["-O1", "-o", program, SOURCE], { encoding: "utf8" });
      expect(compiled).toMatchObject({ status: 0, stderr: "" });
      writeFileSync(cases, caseFile(new LlvmBackend(options), moves));
      const [command = program, ...args] = [...run, program, cases];
      const result = spawnSync(command, args, { encoding: "utf8" });
      expect(result.stdout).toBe(`${2 * moves.length} cases\n`);
      expect(result.status).toBe(0);
    },
    600_000,
  );
});
