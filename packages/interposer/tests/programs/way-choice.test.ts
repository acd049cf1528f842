import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sources } from "../../src/build/sources.js";
import { inFolder } from "../service/in-folder.js";
import { INSTALLED } from "./ranks.js";

const C = fileURLToPath(new URL("../../c", import.meta.url));
const PROGRAM = fileURLToPath(new URL("way-choice.c", import.meta.url));
const SAY = sources("packing").files.find((path) => path.endsWith("/say.c")) ?? "";
const MESSAGES = 20_000;
/** Of two shapes each: by medians alone one of seven is staged. */
const SEEDS = 40;
/** How many times as long one message of four takes. */
const SCATTER = 5;

/**
 * Of each of two shapes how many of a program's last half were staged, how many of all were tried, of those staged, and
 * how many before the first trial; the second shape's times are the first one's the other way about.
 */
type Run = (
  nativeNs: number,
  stagedNs: number,
  atOnce: number,
  scatter?: number,
  seed?: number,
  isPredicted?: boolean,
) => readonly number[];

/** Compiled in a folder. */
function programIn(folder: string): Run {
  const program = join(folder, "way-choice");
  const files = [
    PROGRAM,
    join(C, "choice/way-choice.c"),
    join(C, "choice/ways.c"),
    join(C, "types/handle-table.c"),
    SAY,
  ];
  const includes = sources("packing").includes.map((each) => `-I${each}`);
  const flags = ["-std=gnu11", "-o", program, ...includes, ...files];
  expect(spawnSync(INSTALLED[0]?.compiler ?? "", flags, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  return (nativeNs, stagedNs, atOnce, scatter = 1, seed = 1, isPredicted = false) =>
    spawnSync(program, [nativeNs, stagedNs, MESSAGES, atOnce, scatter, seed, isPredicted ? 1 : 0].map(String), {
      encoding: "utf8",
    })
      .stdout.trim()
      .split(/\s/)
      .map(Number);
}

test.skipIf(INSTALLED.length === 0)(
  "messages of a shape are staged where that is clearly faster, by turns of both ways that are few, one or many at once",
  () =>
    inFolder((folder) => {
      const run = programIn(folder);
      for (const atOnce of [1, 20]) {
        const [late = 0, trials = 0, stagedTrials = 0] = run(1000, 700, atOnce);
        expect(late).toBeGreaterThan(0.45 * MESSAGES);
        expect(trials).toBeLessThan(MESSAGES / 10);
        expect(Math.abs(stagedTrials / trials - 1 / 2)).toBeLessThan(0.05);
        const [slower = 0, , , , otherwise = 0] = run(1000, 1400, atOnce);
        expect(slower).toBeLessThan(MESSAGES / 50);
        expect(otherwise).toBeGreaterThan(0.45 * MESSAGES);
        const [alike = 0, , , , asMuch = 0] = run(1000, 990, atOnce);
        expect(Math.max(alike, asMuch)).toBeLessThan(MESSAGES / 50);
      }
      return Promise.resolve();
    }),
);

test.skipIf(INSTALLED.length === 0)(
  "where times scatter by more than the ways differ, hardly any shape is staged",
  () =>
    inFolder((folder) => {
      const run = programIn(folder);
      const late = Array.from({ length: SEEDS }, (_, seed) => run(1000, 1000, 1, SCATTER, seed))
        .flatMap(([one = 0, , , , other = 0]) => [one, other])
        .filter((staged) => staged > MESSAGES / 50);
      expect(late.length).toBeLessThanOrEqual(2);
      return Promise.resolve();
    }),
);

test.skipIf(INSTALLED.length === 0)(
  "messages begin the way that is predicted to be faster, and leave it where their times say otherwise",
  () =>
    inFolder((folder) => {
      const run = programIn(folder);
      const [late = 0, , , early = 0, otherwise = 0] = run(1000, 700, 1, 1, 1, true);
      expect(early).toBe(3);
      expect(late).toBeGreaterThan(0.45 * MESSAGES);
      expect(otherwise).toBeLessThan(MESSAGES / 50);
      const [, , , none] = run(1000, 700, 1);
      expect(none).toBe(0);
      return Promise.resolve();
    }),
);
