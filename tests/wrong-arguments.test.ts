import { StowageError } from "@stowage/ir";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { BRIDGE, hasMpi } from "./wrong-arguments/bridge.js";
import { BRIDGE_OBJECTS } from "./wrong-arguments/bridge-objects.js";
import { called, type Call } from "./wrong-arguments/call.js";
import { CALLS } from "./wrong-arguments/calls.js";
import { errorOf } from "./wrong-arguments/error-of.js";
import { anyJunk, exchanged, pathsIn } from "./wrong-arguments/junk.js";
import { EXPORTED, UNTRIED } from "./wrong-arguments/untried.js";

/** Wrong arguments of each call. */
const WRONG_ARGUMENTS = 40;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 20_251_122);

let tried = 0;
afterAll(() =>
  console.log(
    `wrong arguments: ${tried} tried of ${CALLS.length + BRIDGE.length + BRIDGE_OBJECTS.length} calls; seed ${SEED}`,
  ),
);

/**
 * The right arguments are taken; with one of them exchanged for junk the call gives nothing but a StowageError of one
 * line.
 */
async function takesOrRefuses(call: Call[1], right: Call[2]): Promise<void> {
  expect(await errorOf(() => called(call, right()))).toBeUndefined();
  const paths = pathsIn(right());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), anyJunk(), async (path, junk) => {
      tried++;
      const given = exchanged(right(), path, junk) as unknown[];
      const error = await errorOf(() => called(call, given));
      if (error === undefined) return;
      expect(error).toBeInstanceOf(StowageError);
      expect((error as StowageError).message).toMatch(/^\S[^\n]*$/);
    }),
    { seed: SEED, numRuns: WRONG_ARGUMENTS },
  );
}

describe("a wrong argument is taken, or refused by a StowageError", () => {
  test.each(CALLS)("of %s", async (_, call, right) => takesOrRefuses(call, right));
});

describe.skipIf(!hasMpi)("a wrong argument of an MPI's (node scripts/set-up-mpi.mjs installs one)", () => {
  test.each([...BRIDGE, ...BRIDGE_OBJECTS])("of %s", async (_, call, right) => takesOrRefuses(call, right));
});

test("each exported function is tried, or is not for a reason", () => {
  const words = new Set([...CALLS, ...BRIDGE, ...BRIDGE_OBJECTS].flatMap(([name]) => name.split(" ")));
  const reasoned = Object.values(UNTRIED).flat();
  expect(EXPORTED.filter((name) => !words.has(name)).sort()).toEqual([...reasoned].sort());
});
