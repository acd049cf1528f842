import { StowageError } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { BRIDGE, hasMpi } from "../wrong-arguments/bridge.js";
import { BRIDGE_OBJECTS } from "../wrong-arguments/bridge-objects.js";
import { called, type Call } from "../wrong-arguments/call.js";
import { CALLS } from "../wrong-arguments/calls.js";
import { errorOf } from "../wrong-arguments/error-of.js";
import { exchanged, junk, pathsIn } from "../wrong-arguments/junk.js";

// Every argument, and every field of one, exchanged for each wrong value in turn: none by chance, none left out.

/** What a call may do before it counts as hanging; the slowest compiles for some hundred milliseconds. */
const MOST_MS = 120_000;

let tried = 0;
let refused = 0;
afterAll(() => console.log(`bad calls: ${tried} tried, ${refused} refused`));

async function failuresOf(name: string, call: Call[1], right: Call[2]): Promise<readonly string[]> {
  const failures: string[] = [];
  const tell = (what: string, error: unknown): void => void failures.push(`${name}: ${what}: ${String(error)}`);
  const attempt = async (given: readonly unknown[], what: string): Promise<void> => {
    tried++;
    const error = await errorOf(() => called(call, given));
    if (error === undefined) return;
    refused++;
    const isTyped = error instanceof StowageError && /^\S[^\n]*$/.test(error.message);
    if (!isTyped) tell(what, error);
  };
  for (const path of pathsIn(right()))
    for (const [i, wrong] of junk().entries())
      await attempt(exchanged(right(), path, wrong) as unknown[], `${path.join(".")} as junk ${i}`);
  for (let length = 0; length < right().length; length++)
    await attempt(right().slice(0, length), `${length} arguments`);
  return failures;
}

describe("a bad call gives a StowageError of one line, or is taken", () => {
  test.each(CALLS)("of %s", { timeout: MOST_MS }, async (name, call, right) => {
    expect(await failuresOf(name, call, right)).toEqual([]);
  });
});

describe.skipIf(!hasMpi)("a bad call of an MPI's (node scripts/set-up-mpi.mjs installs one)", () => {
  test.each([...BRIDGE, ...BRIDGE_OBJECTS])("of %s", { timeout: MOST_MS }, async (name, call, right) => {
    expect(await failuresOf(name, call, right)).toEqual([]);
  });
});

test("at least 300 calls were bad", () => expect(refused).toBeGreaterThan(300));
