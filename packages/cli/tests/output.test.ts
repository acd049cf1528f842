import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../bin/stowage.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-output-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a built command in a shell, as a user at a terminal would; what it said on standard error, and its code. */
function inShell(line: string, cwd = folder): Promise<{ readonly code: number | null; readonly err: string }> {
  const shell = spawn("sh", ["-c", line.replaceAll("stowage", `"${process.execPath}" "${STOWAGE}"`)], { cwd });
  let err = "";
  shell.stderr.on("data", (text) => (err += String(text)));
  return new Promise((resolve) => shell.on("close", (code) => resolve({ code, err })));
}

const full = existsSync("/dev/full");

describe.skipIf(!full)("standard output that cannot be written (needs /dev/full)", () => {
  test.each(["stowage --help", "stowage explain MPI_INT", "stowage explain MPI_INT --json", "stowage bench --list"])(
    "%s > /dev/full is one line, and a code that says so",
    async (line) => {
      const { code, err } = await inShell(`${line} > /dev/full`);
      expect(err).toBe("stowage: standard output: expected to be written, got ENOSPC\n");
      expect(code).toBe(2);
    },
  );
});

test.each(["stowage bench --list", "stowage explain MPI_INT --json"])(
  "%s whose reader has had enough says nothing, and its code is what it found",
  async (line) => {
    const { code, err } = await inShell(`{ ${line}; echo "$?" > code; } | true`);
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "code"), "utf8")).toBe("0\n");
  },
);

describe("--out", () => {
  const bench = "stowage bench MPI_INT --budget 1 > /dev/null";

  test("writes what a symbolic link names, and leaves the link and nothing else", async () => {
    writeFileSync(join(folder, "kept.json"), "old");
    symlinkSync("kept.json", join(folder, "link.json"));
    expect(await inShell(`${bench} --out link.json`)).toEqual({ code: 0, err: "" });
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "kept.json"), "utf8")).toContain("stowage-results/1");
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  test.runIf(full)("writes to a device, which stays one", async () => {
    const { code, err } = await inShell(`${bench} --out /dev/full`);
    expect(err).toBe("stowage: --out: expected to write /dev/full, got ENOSPC\n");
    expect(code).toBe(2);
    expect(lstatSync("/dev/full").isCharacterDevice()).toBe(true);
  });
});

test("verify checks the golden datatypes that come with the package, from any folder", async () => {
  expect(await inShell("stowage verify --backend cpu > verified")).toEqual({ code: 0, err: "" });
  expect(readFileSync(join(folder, "verified"), "utf8")).toBe("500 of 500 agree (cpu)\n");
});
