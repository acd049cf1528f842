import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, hasCompiler, SANITIZED, withRuntime } from "./build.js";
import { stored } from "./stored.js";

const FUZZED = 2000;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 1);

describe.runIf(hasCompiler)("the runtime in C", () => {
  const folder = mkdtempSync(join(tmpdir(), "runtime-"));
  const at = (name: string) => join(folder, name);
  const keep = (name: string, bytes: Uint8Array): string => {
    writeFileSync(at(name), bytes);
    return at(name);
  };
  const changed = (change: (bytes: Uint8Array, fields: DataView) => void): Uint8Array => {
    const bytes = stored();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  const answers = (...paths: string[]): readonly string[] => {
    const { stdout, stderr } = spawnSync(at("refuse"), paths, { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  };
  beforeAll(() => {
    expect(build("gcc", "refuse.c", at("refuse"), withRuntime())).toBe("");
    expect(build("gcc", "fuzz.c", at("fuzz"), SANITIZED)).toBe("");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("refuses with a code and a text what it must not run", () => {
    const whole = stored();
    const cases = [
      ["whole", whole, "0 done"],
      ["empty", new Uint8Array(0), "3 artifact: expected bytes that start with STOWAGE, got others"],
      ["text", new TextEncoder().encode("x".repeat(100)), "3 artifact: expected bytes that start with STOWAGE"],
      [
        "cut",
        whole.subarray(0, whole.length - 1),
        "6 length of an artifact: expected what it says itself, got another",
      ],
      ["longer", Uint8Array.of(...whole, 0), "6 length of an artifact"],
      [
        "flipped",
        changed((bytes) => bytes.set([(bytes[500] ?? 0) ^ 1], 500)),
        "7 artifact: expected one as it was stored",
      ],
      ["newer", changed((_, fields) => fields.setUint32(8, 3, true)), "5 version of an artifact: expected one that"],
      ["newer payload", stored({ formatVersion: 2 }), "5 version of an artifact: expected one that"],
      ["another backend", stored({ backend: "cuda-generic" }), "8 backend of an artifact: expected code for x86-64"],
      ["no code", stored({ payload: null }), "7 artifact: expected one as it was stored"],
    ] as const;
    const got = answers(...cases.map(([name, bytes]) => keep(name, bytes)));
    cases.forEach(([, , expected], i) => expect(got[i]).toContain(expected));
    expect(answers(at("none"))).toEqual(["1 artifact: expected a file that can be read, got none"]);
  });

  test("refuses files that others may write", () => {
    const path = keep("shared", stored());
    chmodSync(path, 0o666);
    const refused = ["2 artifact: expected a file that its user or root alone may write, got another's"];
    expect(answers(path)).toEqual(refused);
    chmodSync(path, 0o644);
    expect(answers(path)).toEqual(["0 done"]);
    if (process.getuid?.() !== 0) return;
    chownSync(path, 12345, 12345);
    expect(answers(path)).toEqual(refused);
  });

  test(`loads or refuses ${FUZZED} damaged artifacts, and touches nothing outside them`, () => {
    const { stdout, stderr, status } = spawnSync(at("fuzz"), [keep("fuzzed", stored()), String(SEED), String(FUZZED)], {
      encoding: "utf8",
    });
    expect(stderr, `seed ${SEED}`).toBe("");
    expect(status).toBe(0);
    const given = stdout.trim().split(" ").map(Number);
    expect(given.reduce((sum, each) => sum + each)).toBe(FUZZED);
    // Loaded, no artifact, older, newer, truncated, damaged, another backend's.
    for (const reached of [0, 3, 4, 5, 6, 7, 8]) expect(given[reached], `status ${reached}`).toBeGreaterThan(0);
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("the runtime was not tried", () => expect(hasCompiler).toBe(false));
});
