import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { build, SANITIZED } from "../runtime/build.js";
import { stored } from "../runtime/stored.js";

const FUZZED = 100_000;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 14);

test(`the runtime loads or refuses ${FUZZED} damaged artifacts under ASan and UBSan`, () => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  try {
    const [program, artifact] = [join(folder, "fuzz"), join(folder, "artifact")];
    expect(build("gcc", "fuzz.c", program, SANITIZED)).toBe("");
    writeFileSync(artifact, stored());
    const ran = spawnSync(program, [artifact, String(SEED), String(FUZZED)], { encoding: "utf8" });
    console.log(`seed ${SEED}, artifacts by status: ${ran.stdout.trim()}`);
    expect([ran.stderr, ran.status]).toEqual(["", 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
