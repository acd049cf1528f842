import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { ArgumentError } from "@stowage/ir";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyDatatype } from "@stowage/arbitraries";
import { build, buildWithDriver, hasCompiler, withRuntime } from "./build.js";
import { ptxBackend } from "../../src/index.js";
import { stored, storedForGpu, storedForGpus } from "./stored.js";

const FUZZED = 3000;
const GPU_TYPES = 100;
/** Compilers under sanitizers, on a machine that does much else. */
const SEED = Number(process.env["STOWAGE_SEED"] ?? 1);

/** Which of storedForGpus has nodes of several kinds, of which the second is a sequence. */
const SEQUENCE = 5;
/** Where a container says where its frames are, and behind it how long. */
const FRAMES = 112;
const fieldOf = (bytes: Uint8Array, at: number): bigint => new DataView(bytes.buffer).getBigUint64(at, true);

/** A launch's parameters have room for so many nodes. */
function orTooManyNodes<T>(made: () => readonly T[]): readonly T[] {
  try {
    return made();
  } catch (error) {
    if (error instanceof ArgumentError && error.message.includes("nodes that fit a launch")) return [];
    throw error;
  }
}

describe.runIf(hasCompiler)("the runtime in C", () => {
  const folder = mkdtempSync(join(tmpdir(), "runtime-"));
  const at = (name: string) => join(folder, name);
  const keep = (name: string, bytes: Uint8Array): string => {
    writeFileSync(at(name), bytes);
    return at(name);
  };

  test.each(["gcc", "clang"].filter((name) => spawnSync(name, ["--version"]).status === 0))(
    "a checksum is zlib's of every length, by products and by tables, whole and in parts (%s)",
    (compiler) => {
      const random = new Uint8Array(
        fc.sample(fc.uint8Array({ minLength: 4096, maxLength: 4096 }), { seed: SEED, numRuns: 1 })[0] as Uint8Array,
      );
      expect(build(compiler, "checksum.c", at("checksum"), ["-O2"])).toBe("");
      const { stdout } = spawnSync(at("checksum"), [keep("random", random)], { encoding: "utf8", maxBuffer: 2 ** 24 });
      const expected = Array.from({ length: random.length + 1 }, (_, length) =>
        Array(3)
          .fill(crc32(random.subarray(0, length)).toString(16).padStart(8, "0"))
          .join(" "),
      );
      expect(stdout.trimEnd().split("\n")).toEqual(expected);
    },
  );
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
  /** Artifacts in which one number each is another, under a checksum that fits. */
  const expectRefused = (
    artifact: Uint8Array,
    cases: readonly (readonly [string, number, number | bigint])[],
  ): void => {
    const paths = cases.map(([name, place, value]) => {
      const bytes = artifact.slice();
      const fields = new DataView(bytes.buffer);
      if (typeof value === "bigint") fields.setBigUint64(place, value, true);
      else fields.setUint32(place, value, true);
      fields.setUint32(24, crc32(bytes.subarray(28), crc32(bytes.subarray(0, 24))), true);
      return keep(name, bytes);
    });
    expect(answers(keep("unchanged", artifact))).toEqual(["0 done"]);
    const damaged = "7 artifact: expected one as it was stored, got a damaged one";
    expect(answers(...paths).map((answer, i) => [cases[i]?.[0], answer])).toEqual(
      cases.map(([name]) => [name, damaged]),
    );
  };
  beforeAll(() => {
    expect(build("gcc", "refuse.c", at("refuse"), withRuntime())).toBe("");
    expect(buildWithDriver("fuzz.c", at("fuzz"), folder)).toBe("");
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

  test("takes kernels for GPUs of any datatype", () => {
    const types = fc.sample(anyDatatype(), { numRuns: GPU_TYPES, seed: SEED });
    using backend = ptxBackend();
    const artifacts = types.flatMap((type) => orTooManyNodes(() => [storedForGpu(type, backend)]));
    expect(artifacts.length).toBeGreaterThan(GPU_TYPES / 2);
    const got = answers(...artifacts.map((bytes, i) => keep(`gpu-${i}`, bytes)));
    expect(got).toEqual(artifacts.map(() => "0 done"));
  });

  test("refuses a section for GPUs that contradicts itself", () => {
    const artifact = storedForGpus()[SEQUENCE] as Uint8Array;
    const code = Number(fieldOf(artifact, 80));
    const move = code + 48;
    const field = (at: number): number => code + Number(fieldOf(artifact, move + at));
    const nodes = field(0);
    const cases: readonly (readonly [string, number, number | bigint])[] = [
      ["1,000 moves", code + 8, 1000],
      ["texts past the end", code + 16, 2n ** 63n],
      ["texts of 2^64 - 1 bytes", code + 32, 2n ** 64n - 1n],
      ["texts of 2^40 bytes", code + 32, 2n ** 40n],
      ["nodes past the end", move, 2n ** 64n - 64n],
      ["nodes of 63 bytes", move + 8, 63n],
      ["nodes of no bytes", move + 8, 0n],
      ["a lookaside buffer past the end", move + 56, 2n ** 64n - 1n],
      ["no kernels", move + 64, 0],
      ["6 kernels", move + 64, 6],
      ["no kernels for several transfers", move + 68, 0],
      ["a text past the texts", move + 72, 2n ** 40n],
      ["a name past the end", move + 80, 2n ** 40n],
      ["parameters of no bytes", move + 88, 0],
      ["parameters of 2^32 - 8 bytes", move + 88, 2 ** 32 - 8],
      ["words of 0 bytes", move + 92, 0],
      ["words of 3 bytes", move + 92, 3],
      ["no threads", move + 96, 0],
      ["33 threads", move + 96, 33],
      ["no words a thread", move + 100, 0],
      ["tables of 5 bytes a number", move + 400, 5],
      ["a node of a kind that is none", nodes + 64, 6],
      ["a child past the nodes", nodes + 4, 2 ** 20],
      ["a child within a node", nodes + 4, 65],
      ["a node that is its own child", nodes + 4, 0],
      ["a divisor of 0", nodes + 32, 0n],
      ["another multiplier", nodes + 8, 7n],
      ["2^60 members", nodes + 64 + 32, 2n ** 60n],
      ["members past the lookaside buffer", nodes + 64 + 40, 2n ** 64n - 4n],
      ["entries past the lookaside buffer", nodes + 64 + 48, 2n ** 64n - 16n],
      ["buckets past the lookaside buffer", nodes + 64 + 56, 2n ** 64n - 16n],
      ["buckets of 2^63 bytes", nodes + 64 + 28, 63],
      ["the first member's prefix above 0", field(48) + Number(fieldOf(artifact, nodes + 64 + 48)), 1],
    ];
    expectRefused(artifact, cases);
  });

  test("refuses frames that contradict themselves", () => {
    const artifact = stored();
    const record = Number(fieldOf(artifact, FRAMES));
    expectRefused(artifact, [
      ["frames past the end", FRAMES, 2n ** 63n],
      ["frames of 2^64 - 1 bytes", FRAMES + 8, 2n ** 64n - 1n],
      ["frames shorter than their head", FRAMES + 8, 8n],
      ["code that begins behind the code", record, 2 ** 31],
      ["no code", record + 4, 0],
      ["code that ends behind the code", record + 4, 2 ** 31],
      ["instructions past the frames", record + 8, 2 ** 32 - 1],
    ]);
  });

  test(`loads or refuses ${FUZZED} damaged artifacts, and touches nothing outside them`, () => {
    const paths = [stored(), ...storedForGpus()].map((bytes, i) => keep(`fuzzed-${i}`, bytes));
    const { stdout, stderr, status } = spawnSync(at("fuzz"), [String(SEED), String(FUZZED), ...paths], {
      encoding: "utf8",
      env: { ...process.env, STOWAGE_FRAMES: "1" },
    });
    expect(stderr, `seed ${SEED}`).toBe("");
    expect(status).toBe(0);
    const given = stdout.trim().split(" ").map(Number);
    const launched = given.pop();
    expect(given.reduce((sum, each) => sum + each)).toBe(FUZZED);
    expect(launched, "launched").toBeGreaterThan(0);
    // Loaded, no artifact, older, newer, truncated, damaged, another backend's.
    for (const reached of [0, 3, 4, 5, 6, 7, 8]) expect(given[reached], `status ${reached}`).toBeGreaterThan(0);
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("the runtime was not tried", () => expect(hasCompiler).toBe(false));
});
