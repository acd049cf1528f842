import { anyDatatype } from "@stowage/arbitraries";
import { describeType } from "@stowage/backend-api";
import { parseDatatype, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { compile, INCLUDES, SOURCES } from "../library/build-library.js";

const SEED = Number(process.env["STOWAGE_SEED"] ?? 29);
const GENERATED = Number(process.env["STOWAGE_LAW_RUNS"] ?? 5500);
const DAMAGED = 20 * GENERATED;
/** Valgrind takes fifty times as long. */
const UNDER_VALGRIND = 300;
const SOAK = fileURLToPath(new URL("soak.c", import.meta.url));
const GOLDEN = new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);

const golden: readonly Datatype[] = readFileSync(GOLDEN, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => parseDatatype((JSON.parse(line) as { readonly type: unknown }).type));

/** Entries that overlap may be unpacked in any order: ranges and the whole are then no longer the same. */
const types = [...golden, ...fc.sample(anyDatatype({ disjoint: true }), { seed: SEED, numRuns: GENERATED })];

function records(of: readonly Datatype[]): Buffer {
  return Buffer.concat(
    of.flatMap((type) => {
      const description = describeType(type);
      const head = Buffer.alloc(8);
      head.writeBigInt64LE(BigInt(description.length));
      return [head, description];
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), "libstowage-soak-"));
afterAll(() => rmSync(folder, { recursive: true }));

function built(name: string, flags: readonly string[]): string {
  const program = join(folder, name);
  compile("gcc", [
    "-std=c11",
    "-O1",
    "-g",
    ...flags,
    ...INCLUDES,
    "-o",
    program,
    SOAK,
    ...SOURCES,
    "-lpthread",
    "-ldl",
  ]);
  return program;
}

/** What a program says of itself; fails where a sanitizer or valgrind has said anything. */
function ran(command: readonly [string, ...string[]], input: Buffer): string {
  const [program, ...args] = command;
  const environment = { ...process.env, STOWAGE_CACHE: "", STOWAGE_SERVICE: "" };
  const { status, stdout, stderr } = spawnSync(program, args, { input, env: environment, encoding: "utf8" });
  expect([stderr, status], command.join(" ")).toEqual(["", 0]);
  return stdout.trim();
}

describe("libstowage under sanitizers", () => {
  const address = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

  test("AddressSanitizer and UndefinedBehaviorSanitizer find nothing in moves of any type", () => {
    console.log(ran([built("moves", address), "moves", String(SEED), "0"], records(types)));
  });

  test(`nor in ${DAMAGED} damaged descriptions`, () => {
    const said = ran([built("damage", address), "damage", String(SEED), String(DAMAGED)], records(types));
    console.log(said);
    expect(Number(/, (\d+) of/.exec(said)?.[1])).toBeGreaterThan(DAMAGED / 100);
  });

  test("ThreadSanitizer finds no race among 8 threads that share types and a context", () => {
    ran([built("threads", ["-fsanitize=thread"]), "threads", String(SEED), "0"], records(types));
  });

  test("valgrind finds nothing", () => {
    const valgrind = ["--quiet", "--error-exitcode=9", "--leak-check=full"];
    const some = [...golden.slice(0, UNDER_VALGRIND / 2), ...types.slice(golden.length).slice(0, UNDER_VALGRIND / 2)];
    ran(["valgrind", ...valgrind, built("plain", []), "moves", String(SEED), "0"], records(some));
  });
});
