import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRecordings } from "../../src/index.js";
import { ipcFrom } from "../device/routes.js";
import { withStandIn } from "../device/stand-in.js";
import { codeHasCome, countsOf, INSTALLED, ran, within, type Ran, type Surroundings } from "../programs/ranks.js";

const SEED = "5";
const LONGEST_MS = 600_000;

/** What the stand-in for the driver read out of other processes' memory, in all ranks together. */
function peerReads({ errors }: Ran): number {
  const told = [...errors.matchAll(/stand-in: \d+ launches, (\d+) out of memory of other processes/g)];
  expect(told.length).toBeGreaterThan(0);
  return told.reduce((sum, [, reads]) => sum + Number(reads), 0);
}

interface Prepared {
  readonly surroundings: Surroundings;
  readonly words: (how: string) => readonly string[];
}

function prepared(body: (all: Prepared) => Promise<void>): Promise<void> {
  const mpi = INSTALLED.find(({ name }) => name === "openmpi");
  if (mpi === undefined) throw new Error("MPI: expected Open MPI, got none");
  return within(mpi, (surroundings) => {
    const program = withStandIn(surroundings.folder, mpi, "messages.c");
    return body({ surroundings, words: (how) => [program, how, SEED, "long"] });
  });
}

describe.runIf(INSTALLED.some(({ name }) => name === "openmpi"))("between processes of one host, on Open MPI", () => {
  test(
    "messages of all sizes go from memory to memory: the same bytes as on the host, compared by --verify",
    () =>
      prepared(async ({ surroundings, words }) => {
        const variables = ["STANDIN_SAYS=1", ipcFrom(surroundings.folder, 64)];
        for (const ranks of [2, 3]) {
          const onHost = ran(surroundings, ranks, words("host")).output;
          expect(ran(surroundings, ranks, words("device"), { variables }).output).toBe(onHost);
          await codeHasCome(surroundings);
          const warm = ran(surroundings, ranks, words("device"), { variables });
          expect(warm.output).toBe(onHost);
          expect(peerReads(warm)).toBeGreaterThan(60 * ranks);
          const verified = ran(surroundings, ranks, words("device"), { variables, verify: true });
          expect(verified.output).toBe(onHost);
          expect(countsOf(verified).differences).toBe(0);
          expect(peerReads(verified)).toBeGreaterThan(60 * ranks);
          expect(ran(surroundings, ranks, words("mixed"), { variables }).output).toBe(onHost);
        }
      }),
    LONGEST_MS,
  );

  test.each(["STANDIN_SHARES_NOTHING=1", "STANDIN_OPENS_NOTHING=1", "STOWAGE_DEVICE_ROUTES=/nowhere"])(
    "where memory cannot be shared, or messages are too short, they go through host memory: %s",
    (variable) =>
      prepared(async ({ surroundings, words }) => {
        const variables = ["STANDIN_SAYS=1", ipcFrom(surroundings.folder, 64), variable];
        const onHost = ran(surroundings, 2, words("host")).output;
        ran(surroundings, 2, words("device"), { variables });
        await codeHasCome(surroundings);
        const warm = ran(surroundings, 2, words("device"), { variables });
        expect(warm.output).toBe(onHost);
        if (variable.startsWith("STANDIN")) expect(peerReads(warm)).toBe(0);
      }),
    LONGEST_MS,
  );

  test(
    "--record counts what our kernels packed and unpacked, from GPU memory to GPU memory too",
    () =>
      prepared(async ({ surroundings, words }) => {
        const routes = ipcFrom(surroundings.folder, 64);
        ran(surroundings, 2, words("device"), { variables: [routes] });
        await codeHasCome(surroundings);
        const recordings = join(surroundings.folder, "recordings");
        mkdirSync(recordings);
        const variables = [routes, `STOWAGE_RECORD=${recordings}`];
        const told = countsOf(ran(surroundings, 2, words("device"), { variables }));
        const traffic = readRecordings(recordings)
          .flatMap(({ others, types }) => [others, ...types])
          .flatMap(({ pack, unpack }) => [pack, unpack]);
        const sum = (of: (each: (typeof traffic)[number]) => number): number =>
          traffic.reduce((all, each) => all + of(each), 0);
        expect(sum(({ ourBytes }) => ourBytes)).toBe(told.ourBytes);
        expect(sum(({ ourMessages }) => ourMessages)).toBe(told.ourMessages);
        expect(sum(({ ourPackNs }) => ourPackNs)).toBeGreaterThan(0);
      }),
    LONGEST_MS,
  );
});
