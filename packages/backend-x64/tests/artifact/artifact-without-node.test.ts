import { conditions, encodeArtifact, packMove } from "@stowage/backend-api";
import { canonicalise, lower, parseDatatype } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { X64Backend } from "../../src/index.js";
import { probeMachine } from "../../src/memory/machine.js";

interface Golden {
  readonly type: unknown;
  readonly count: number;
  readonly size: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

const GOLDEN = fileURLToPath(new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url));
const SOURCE = fileURLToPath(new URL("pack.c", import.meta.url));
const RUNTIME = fileURLToPath(new URL("../../../../runtime", import.meta.url));
const FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", `-I${RUNTIME}`];
const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;
const runnable = hasCompiler && "machine" in probeMachine();

/** Stored artifacts of all golden types, and what the C program is told of each. */
function store(folder: string, types: readonly Golden[]): string {
  const backend = new X64Backend();
  return types
    .map(({ type, count, size, buffer, origin }, i) => {
      const layout = canonicalise(lower(parseDatatype(type)));
      const path = join(folder, `${i}.artifact`);
      writeFileSync(path, encodeArtifact(backend.compile([packMove(layout)], conditions())));
      return `${path} ${count} ${size} ${buffer} ${origin}`;
    })
    .join("\n");
}

describe.runIf(runnable)("a C program with the runtime library, without Node", () => {
  test.each([1, 2])("packs every golden type with its stored artifact, on %i of its own threads", (threads) => {
    const types = readFileSync(GOLDEN, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Golden);
    const folder = mkdtempSync(join(tmpdir(), "artifact-"));
    try {
      const program = join(folder, "pack");
      const made = spawnSync("gcc", [...FLAGS, "-o", program, SOURCE, join(RUNTIME, "stowage.c")], {
        encoding: "utf8",
      });
      expect(made.stderr).toBe("");
      const packed = spawnSync(program, [String(threads)], { input: store(folder, types), maxBuffer: 2 ** 28 });
      expect(packed.stderr.toString()).toBe("");
      let at = 0;
      const hashes = types.map(({ count, size }) => {
        const bytes = packed.stdout.subarray(at, (at += count * size));
        return createHash("sha256").update(bytes).digest("hex");
      });
      expect(hashes).toEqual(types.map(({ sha256 }) => sha256));
      expect(at).toBe(packed.stdout.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(runnable)("no C compiler, or no machine that runs the code", () => {
  test("artifacts were not tried without Node", () => expect(runnable).toBe(false));
});
