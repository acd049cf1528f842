import { StowageError } from "@stowage/ir";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { ARRAYS } from "./wrong-arguments/arrays.js";
import { BACKEND_API, BACKENDS } from "./wrong-arguments/backends.js";
import { BENCH } from "./wrong-arguments/bench.js";
import { BRIDGE, hasMpi } from "./wrong-arguments/bridge.js";
import { called, type Call } from "./wrong-arguments/call.js";
import { COMPILE, LLVM, OBJECT_FILES, PREDICTIONS, ROUTES } from "./wrong-arguments/compiling.js";
import { CUDA } from "./wrong-arguments/cuda.js";
import { DATATYPES } from "./wrong-arguments/datatypes.js";
import { ENGINES } from "./wrong-arguments/engines.js";
import { anyJunk, exchanged, pathsIn } from "./wrong-arguments/junk.js";
import { ARBITRARIES, REFERENCE } from "./wrong-arguments/testing.js";
import { EXPORTED, UNTRIED } from "./wrong-arguments/untried.js";
import { WORKLOADS } from "./wrong-arguments/workloads.js";

/** Wrong arguments of each call. */
const WRONG_ARGUMENTS = 40;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 20_251_122);

const CALLS = [
  ...DATATYPES,
  ...ENGINES,
  ...ARRAYS,
  ...WORKLOADS,
  ...BACKEND_API,
  ...BACKENDS,
  ...OBJECT_FILES,
  ...COMPILE,
  ...LLVM,
  ...ROUTES,
  ...PREDICTIONS,
  ...ARBITRARIES,
  ...REFERENCE,
  ...BENCH,
  ...CUDA,
];

let tried = 0;
afterAll(() => console.log(`wrong arguments: ${tried} tried of ${CALLS.length + BRIDGE.length} calls; seed ${SEED}`));

/** The error that a call gives: at once, or as what it promised. */
async function errorOf(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  return undefined;
}

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
  test.each(BRIDGE)("of %s", async (_, call, right) => takesOrRefuses(call, right));
});

test("each exported function is tried, or is not for a reason", () => {
  const words = new Set([...CALLS, ...BRIDGE].flatMap(([name]) => name.split(" ")));
  const reasoned = Object.values(UNTRIED).flat();
  expect(EXPORTED.filter((name) => !words.has(name)).sort()).toEqual([...reasoned].sort());
});
