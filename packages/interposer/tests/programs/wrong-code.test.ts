import { decodeArtifact, describeType, encodeArtifact } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { indexedBlock, predefined, vector, type Datatype } from "@stowage/ir";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildLibrary, CodeCache } from "../../src/index.js";
import { fileName } from "../../src/cache/code-cache.js";
import { compiledCode, keyOf, levelOf } from "../../src/service/compiled-code.js";
import { inFolder } from "../service/in-folder.js";
import { compiled, countsOf, INSTALLED, ran } from "./ranks.js";

/** The columns that ping-pong.c sends. */
const [ROWS, COLUMNS] = [64, 512];
const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(ROWS, 1, COLUMNS, DOUBLE);
const backwards = indexedBlock(
  1,
  Array.from({ length: ROWS }, (_, i) => COLUMNS * (ROWS - 1 - i)),
  DOUBLE,
);

/**
 * Puts a file into a cache that is whole in every respect, and says of itself that it is a type's, but moves another.
 */
function plant(folder: string, type: Datatype, moved: Datatype): void {
  using backend = new X64Backend();
  const description = describeType(type);
  const level = levelOf(backend);
  const code = decodeArtifact(compiledCode(describeType(moved), backend));
  new CodeCache(folder).write(fileName(keyOf(description, level), level), encodeArtifact({ ...code, description }));
}

function cacheIn(folder: string): string {
  const cache = join(folder, "cache");
  mkdirSync(cache, { mode: 0o700 });
  return cache;
}

test.each(INSTALLED)("code that moves wrongly is found by --verify under $name, and the MPI's bytes stand", (mpi) =>
  inFolder(async (folder) => {
    plant(cacheIn(folder), column, backwards);
    const { path: library } = await buildLibrary(mpi.compiler);
    const surroundings = { mpi, folder, library, service: { path: "", end: () => undefined } };
    const words = [compiled(surroundings, "../long/ping-pong.c"), "3", "0"];
    const run = ran(surroundings, 2, words, { verify: true });
    expect(run.output.trim().split("\n").toSorted()).toEqual(["rank 0 right", "rank 1 right"]);
    expect(run.errors).toMatch(
      /verify: an? (un)?pack of 1 vector, size 512, extent 258056, description [0-9a-f]{32}: bytes \[\d+, \d+\) differ/,
    );
    expect(countsOf(run).differences).toBeGreaterThan(0);
  }),
);

/** Those that column.c sends; the last rows of the first are exchanged. */
const NARROW = 16;
const first = vector(ROWS, 1, NARROW, DOUBLE);
const second = vector(ROWS, 2, NARROW, DOUBLE);
const exchanged = indexedBlock(
  1,
  Array.from({ length: ROWS }, (_, i) => NARROW * (i < ROWS - 2 ? i : 2 * ROWS - 3 - i)),
  DOUBLE,
);

test.each(INSTALLED)(
  "one wrong type under $name does not keep others from being compared; where it differs is told",
  (mpi) =>
    inFolder(async (folder) => {
      const cache = cacheIn(folder);
      plant(cache, first, exchanged);
      plant(cache, second, second);
      const { path: library } = await buildLibrary(mpi.compiler);
      const surroundings = { mpi, folder, library, service: { path: "", end: () => undefined } };
      const turns = 5; // of one message each way and rank
      const run = ran(surroundings, 2, [compiled(surroundings, "column.c"), String(turns)], { verify: true });
      expect(run.output).toBe("0 wrong\n");
      const told = Array.from(run.errors.matchAll(/differ from the MPI's, first at (\d+); (.*)/g));
      expect(told).toHaveLength(2);
      const [[, at = "", rest] = []] = told;
      // Eight bytes a row; some of a number's are alike.
      expect(Math.floor(Number(at) / 8)).toBe(ROWS - 2);
      expect(rest).toBe("messages of this type are native from now on");
      const { differences, ranges, ourMessages } = countsOf(run);
      expect(differences).toBeGreaterThan(0);
      expect(ranges).toBeGreaterThanOrEqual(4 * turns);
      expect(ourMessages).toBeGreaterThanOrEqual(2 * turns);
    }),
);
