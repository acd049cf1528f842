import { describeType, UNCALIBRATED } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expensesOf, mergeRecordings, readRecordings } from "../../src/index.js";
import { hasCompiler } from "../store/build-rank.js";
import { programsBuilt } from "../store/programs.js";
import { Rank } from "../store/rank.js";
import { inFolder } from "../service/in-folder.js";

const small = describeType(vector(8, 1, 2, predefined("MPI_INT")));
const large = describeType(vector(4096, 1, 8, predefined("MPI_DOUBLE")));
const SMALL_BYTES = 32;
const LARGE_BYTES = 32_768;

const program = programsBuilt(["rank"]);

/** A rank that commits the small type twice, the large one once, and sends each as often as asked. */
async function recorded(folder: string, rank: number, sends: readonly [small: number, large: number]): Promise<void> {
  using process = new Rank(program("rank"), { STOWAGE_RECORD: folder });
  await process.ask("open");
  const first = await process.commit(small);
  await process.commit(small);
  const other = await process.commit(large);
  for (let i = 0; i < sends[0]; i++) await process.ask(`message ${first} ${SMALL_BYTES}`);
  for (let i = 0; i < sends[1]; i++) await process.ask(`message ${other} ${LARGE_BYTES}`);
  await process.ask(`record ${rank}`);
  expect(await process.end()).toBe(0);
}

describe.runIf(hasCompiler)("recordings of ranks", () => {
  test("come to one sum, by datatype, the most expensive first", () =>
    inFolder(async (folder) => {
      await recorded(folder, 0, [5, 2]);
      await recorded(folder, 1, [1, 3]);
      expect(readdirSync(folder)).toHaveLength(2);
      const merged = mergeRecordings(readRecordings(folder));
      expect(merged).toMatchObject({ ranks: 2, programs: [program("rank")] });
      const [first, second, ...rest] = expensesOf(merged, UNCALIBRATED);
      expect(rest).toEqual([]);
      expect(second).toMatchObject({ messages: 5, bytes: 5 * LARGE_BYTES, packNs: 5_000, callNs: 10_000 });
      expect(first).toMatchObject({ messages: 6, bytes: 6 * SMALL_BYTES, ourBytes: 0, nativeNs: 6_000 });
      expect(first?.use).toMatchObject({ commits: 4, ranks: 2, ranksWithCode: 0 });
      expect(first?.isNativeMeasured).toBe(true);
      expect(first?.use.pack.bySize[6]).toBe(6); // 32 to 63 bytes
    }));

  test("a folder that cannot be written costs the recording, one line, and nothing else", () =>
    inFolder(async (folder) => {
      using rank = new Rank(program("rank"), { STOWAGE_RECORD: join(folder, "absent") });
      await rank.ask("open");
      await rank.commit(small);
      await rank.ask("record 0");
      expect(await rank.end()).toBe(0);
      expect(rank.said).toMatch(/^stowage: .*expected a folder that takes this rank's recording, got none\n$/);
    }));
});

test.each([
  ["no recordings", undefined, /expected recordings of `stowage run --record`, got none/],
  ["half a file", '{"schema":"stowage-rec', /expected a recording of version 1/],
  ["another schema", '{"schema":"stowage-recording/9"}', /expected a recording of version 1, got schema: /],
])("%s: one line", (_what, text, message) =>
  inFolder((folder) => {
    if (text !== undefined) writeFileSync(join(folder, "host-1-rank-0.json"), text);
    expect(() => readRecordings(folder)).toThrow(message);
    return Promise.resolve();
  }),
);

/** A recording of a program that was called so. */
function namedRecording(folder: string, program: string): void {
  const none = { messages: 0, bytes: 0, ourMessages: 0, ourBytes: 0, packNs: 0, ourPackNs: 0, callNs: 0, bySize: [] };
  const others = { pack: none, unpack: none };
  const recording = { schema: "stowage-recording/1", version: "0.1.0", mpi: program, rank: 0, host: program, program };
  writeFileSync(join(folder, "host-1-rank-0.json"), JSON.stringify({ ...recording, others, types: [] }));
}

test("a program's name gives the terminal no orders, and takes no more than a path may", () =>
  inFolder((folder) => {
    namedRecording(folder, "\u001b]0;title\u0007\u009b31m\r\n\u202eppa é");
    const spelt = "\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{d}\\u{a}\\u{202e}ppa é";
    expect(readRecordings(folder)[0]).toMatchObject({ program: spelt, mpi: spelt, host: spelt });
    namedRecording(folder, "a".repeat(300_000));
    expect(mergeRecordings(readRecordings(folder)).programs[0]).toHaveLength(4_096);
    return Promise.resolve();
  }));

test("what is no recording gives none either, by its own name or by what it holds", () =>
  inFolder((folder) => {
    writeFileSync(join(folder, "\u001b[2J-rank-0.json"), "\u001b[2J");
    expect(() => readRecordings(folder)).toThrow(
      /^[ -~]*\\u\{1b\}\[2J-rank-0\.json: expected a recording of version 1, got [ -~]*$/,
    );
    return Promise.resolve();
  }));
