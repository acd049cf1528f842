import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildWithDriver } from "../runtime/build.js";
import { stored, storedForGpus } from "../runtime/stored.js";

const FUZZED = 1_000_000;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 14);

test(`the runtime loads or refuses ${FUZZED} damaged artifacts under ASan and UBSan`, { timeout: 7_200_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  try {
    const program = join(folder, "fuzz");
    expect(buildWithDriver("fuzz.c", program, folder)).toBe("");
    const paths = [stored(), ...storedForGpus()].map((bytes, i) => {
      writeFileSync(join(folder, String(i)), bytes);
      return join(folder, String(i));
    });
    const env = { ...process.env, STOWAGE_FRAMES: "1" };
    const ran = spawnSync(program, [String(SEED), String(FUZZED), ...paths], { encoding: "utf8", env });
    console.log(`seed ${SEED}, artifacts by status, and launched: ${ran.stdout.trim()}`);
    expect([ran.stderr, ran.status]).toEqual(["", 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
