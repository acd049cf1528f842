import { decodeArtifact, describeType } from "@stowage/backend-api";
import { hindexed, predefined, vector } from "@stowage/ir";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CODE_LEVELS, readRecordings, warmCache } from "../../src/index.js";
import { inFolder } from "../service/in-folder.js";
import { hasCompiler } from "../store/build-rank.js";
import { programsBuilt } from "../store/programs.js";
import { Rank } from "../store/rank.js";

const TYPES = [
  describeType(vector(16, 2, 5, predefined("MPI_FLOAT"))),
  describeType(hindexed([1, 3, 2], [0, 64, 200], predefined("MPI_DOUBLE"))),
];
const program = programsBuilt(["rank"]);

async function record(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  using rank = new Rank(program("rank"), { STOWAGE_RECORD: folder });
  await rank.ask("open");
  for (const type of TYPES) await rank.commit(type);
  await rank.ask("record 0");
  expect(await rank.end()).toBe(0);
}

describe.runIf(hasCompiler)("a cache that is warmed from recordings", () => {
  test("has the code that a rank looks for, without a service; a second time nothing is compiled", () =>
    inFolder(async (folder) => {
      await record(join(folder, "recorded"));
      const environment = { STOWAGE_CACHE: join(folder, "code") };
      const recordings = readRecordings(join(folder, "recorded"));
      const first = warmCache([...recordings, ...recordings], undefined, environment);
      expect(first).toMatchObject({ types: 2, written: 2, held: 0, refused: [] });
      expect(first.levels).toHaveLength(1);
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      for (const type of TYPES) expect(await rank.getsCode(await rank.commit(type), 0)).toBe(true);
      expect(await rank.end()).toBe(0);
      expect(warmCache(recordings, undefined, environment)).toMatchObject({ written: 0, held: 2 });
    }));

  test("holds code for every level and for GPUs, each under the level's name, where that is asked for", () =>
    inFolder(async (folder) => {
      await record(join(folder, "recorded"));
      const environment = { STOWAGE_CACHE: join(folder, "code") };
      const warmed = warmCache(readRecordings(join(folder, "recorded")), CODE_LEVELS, environment);
      expect(warmed).toMatchObject({ types: 2, written: 2 * CODE_LEVELS.length, refused: [] });
      for (const level of CODE_LEVELS) {
        const names = readdirSync(warmed.folder).filter((name) => name.includes(`-${level}-`));
        const described = names.map((name) => decodeArtifact(readFileSync(join(warmed.folder, name))).description);
        expect(described.map((each) => Buffer.from(each ?? []).toString("hex")).toSorted()).toEqual(
          TYPES.map((each) => Buffer.from(each).toString("hex")).toSorted(),
        );
      }
    }));
});
