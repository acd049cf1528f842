import { decodeArtifact, describeType, encodeArtifact } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { indexedBlock, predefined, vector } from "@stowage/ir";
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
 * Puts a file into a cache that is whole in every respect, and says of itself that it is the column's, but packs it
 * backwards.
 */
function plant(folder: string): void {
  using backend = new X64Backend();
  const description = describeType(column);
  const level = levelOf(backend);
  const wrong = decodeArtifact(compiledCode(describeType(backwards), backend));
  new CodeCache(folder).write(fileName(keyOf(description, level), level), encodeArtifact({ ...wrong, description }));
}

test.each(INSTALLED)("code that moves wrongly is found by --verify under $name, and the MPI's bytes stand", (mpi) =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, "cache"), { mode: 0o700 });
    plant(join(folder, "cache"));
    const { path: library } = await buildLibrary(mpi.compiler);
    const surroundings = { mpi, folder, library, service: { path: "" } };
    const words = [compiled(surroundings, "../long/ping-pong.c"), "3", "0"];
    const run = ran(surroundings, 2, words, { verify: true });
    expect(run.output.trim().split("\n").toSorted()).toEqual(["rank 0 right", "rank 1 right"]);
    expect(run.errors).toMatch(
      /verify: an? (un)?pack of 1 vector, size 512, extent 258056, description [0-9a-f]{32}: bytes \[\d+, \d+\) differ/,
    );
    expect(countsOf(run).differences).toBeGreaterThan(0);
  }),
);
