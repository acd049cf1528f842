import { describeType, typeKey } from "@stowage/backend-api";
import { PREDEFINED_NAMES, visitPostOrder, type Datatype } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { build, hasCompiler, RUNTIME, withRuntime } from "../runtime/build.js";
import { describedTypes, KINDS, listOf } from "./type-list.js";

const VARIANT = { direction: "pack", backend: "x64", formatVersion: 1, level: "avx2", tuning: "" } as const;

const types = describedTypes();

test("the types are of every constructor", () => {
  const seen = new Set<Datatype>();
  for (const type of types)
    visitPostOrder(
      type,
      (node) => seen.has(node),
      (node) => seen.add(node),
    );
  expect([...new Set(Array.from(seen, ({ kind }) => kind))].toSorted()).toEqual([...KINDS].toSorted());
});

describe.runIf(hasCompiler)("C and TypeScript describe a type alike", () => {
  test.each(["standard", "open-mpi", "mpich"] as const)("with bounds by %s: the same bytes, the same key", (bounds) => {
    const folder = mkdtempSync(join(tmpdir(), "type-key-"));
    try {
      const program = join(folder, "describe");
      expect(build("gcc", "../type-key/describe.c", program, withRuntime())).toBe("");
      const input = listOf(types, bounds);
      const { stdout, stderr } = spawnSync(program, [], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
      expect(stderr).toBe("");
      const descriptions = types.map((type) => describeType(type, { bounds }));
      const expected = descriptions.map((bytes) => `${typeKey(bytes, VARIANT)} ${Buffer.from(bytes).toString("hex")}`);
      expect(stdout.trim().split("\n")).toEqual(expected);
      expect(new Set(expected.map((line) => line.split(" ")[0])).size).toBe(new Set(expected).size);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const MPIS = [
  ["mpicc.openmpi", "open-mpi"],
  ["mpicc.mpich", "mpich"],
] as const;

describe.each(MPIS)("handles of an MPI, by %s", (compiler, bounds) => {
  const hasMpi = spawnSync(compiler, ["--version"]).status === 0;
  test.runIf(hasMpi)("have the descriptions of their types", () => {
    const folder = mkdtempSync(join(tmpdir(), "type-key-mpi-"));
    try {
      const program = join(folder, "describe");
      writeFileSync(join(folder, "predefined.h"), PREDEFINED_NAMES.map((name) => `KNOWN(${name})\n`).join(""));
      const flags = ["-DWITH_MPI", `-I${folder}`, join(RUNTIME, "stowage.c"), "-Wno-error", "-w"];
      expect(build(compiler, "../type-key/describe.c", program, flags)).toBe("");
      const input = listOf(types, bounds);
      const ran = spawnSync(program, [], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
      // An MPI before 4.0 has no other constructors: then both are one.
      const large = spawnSync(program, ["large"], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
      expect(large.stdout).toBe(ran.stdout);
      const got = ran.stdout
        .trim()
        .split("\n")
        .map((line) => line.split(" ")[1] ?? "");
      expect(got).toEqual(types.map((type) => Buffer.from(describeType(type, { bounds })).toString("hex")));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("descriptions were not compared", () => expect(hasCompiler).toBe(false));
});
