import { describe, expect, test } from "vitest";
import { routesOf } from "../device/routes.js";
import { withStandIn } from "../device/stand-in.js";
import { codeHasCome, countsOf, INSTALLED, ran, within, type Ran } from "../programs/ranks.js";

const SEED = "7";
const LONGEST_MS = 900_000;
/** No message is as long: none goes from GPU memory to GPU memory. */
const NEVER = "ipc 1000000000000";

/** What the stand-in for the driver did in all ranks together. */
function told({ errors }: Ran): { readonly launches: number; readonly toHost: number; readonly values: number } {
  const all = [
    ...errors.matchAll(/stand-in: (\d+) launches, \d+ out of [\w ]+, (\d+) from or to the host's, (\d+) values/g),
  ];
  const sum = (i: number): number => all.reduce((total, each) => total + Number(each[i]), 0);
  return { launches: sum(1), toHost: sum(2), values: sum(3) };
}

describe.each(INSTALLED)("$name: through host memory", (mpi) => {
  const long = mpi.family === "openmpi" ? "long" : "large";

  test(
    "each route brings the same bytes as on the host, compared by --verify; a table takes the one that it names",
    () =>
      within(mpi, async (surroundings) => {
        const program = withStandIn(surroundings.folder, mpi, "messages.c");
        const words = (how: string): readonly string[] => [program, how, SEED, long];
        const onHost = ran(surroundings, 3, words("host")).output;
        ran(surroundings, 3, words("device"), {});
        await codeHasCome(surroundings);
        const by = (lines: readonly string[], verify: boolean, more: readonly string[] = []): Ran => {
          const variables = ["STANDIN_SAYS=1", routesOf(surroundings.folder, lines), ...more];
          const all = ran(surroundings, 3, words("device"), { variables, verify });
          expect(all.output).toBe(onHost);
          expect(countsOf(all).differences).toBe(0);
          return all;
        };
        for (const verify of [false, true]) {
          const oneShot = told(by([NEVER, "route 0 0 one-shot"], verify));
          expect(oneShot.values).toBe(0);
          expect(oneShot.toHost).toBeGreaterThan(300);
          const device = told(by([NEVER, "route 0 0 device"], verify));
          expect(device.toHost).toBe(0);
          expect(device.launches).toBeGreaterThan(100);
          const blocks = told(by([NEVER, "route 0 0 one-shot", "route 0 64 device"], verify));
          expect(blocks.toHost).toBeGreaterThan(100);
          expect(blocks.toHost).toBeLessThan(oneShot.toHost);
          // Pieces of 4 KiB; of a device that has packed each when it is asked for, and of one that has packed none.
          for (const lags of [[], ["STANDIN_LAGS=1"]]) {
            const pipelined = told(by([NEVER, "launch 1", "route 0 0 pipelined"], verify, lags));
            if (!verify) expect(pipelined.values).toBeGreaterThan(100);
            else expect(pipelined.values).toBe(0);
          }
          by(["ipc 64", "launch 1", "route 0 0 pipelined"], verify);
        }
      }),
    LONGEST_MS,
  );
});
