// Named checks that every rank makes in the same order; what failed is told in a line each, and how many passed.
import { openMpi } from "@stowage/mpi-bridge";

export const mpi = openMpi();
export const { world } = mpi;
export const { rank, size } = world;

/**
 * "native", "packed", "auto", or "mixed" for one and the other by turns: how messages of scattered elements travel in
 * this run.
 */
const asked = process.env.STOWAGE_TEST_ROUTE ?? "auto";
const route = asked !== "mixed" ? asked : rank % 2 === 0 ? "native" : "packed";
/** What hangs is told after so long: vitest.config.ts. */
const hangMs = Number(process.env.STOWAGE_HANG_MS ?? 600_000);
world.settings = { hints: { route }, timeoutMs: hangMs / 2 };

let passed = 0;
let failed = 0;

export function check(name, work) {
  begin(name);
  try {
    const result = work();
    if (typeof result?.then === "function") throw new Error("expected a check that ends at once, got a promise");
    passed++;
  } catch (error) {
    fail(name, error);
  }
}

/** A check of a fault, which simulated GPUs alone can be given. */
export function checkFault(name, work) {
  if (process.env.STOWAGE_TEST_GPUS !== "real") check(name, work);
  else if (rank === 0) console.log(`left out on GPUs that are not simulated: ${name}`);
}

export async function checkAsync(name, work) {
  begin(name);
  try {
    await work();
    passed++;
  } catch (error) {
    fail(name, error);
  }
}

/** Where STOWAGE_TEST_TRACE is set a program that hangs has said in which check. */
function begin(name) {
  if (process.env.STOWAGE_TEST_TRACE !== undefined) console.log(`rank ${rank} begins: ${name}`);
}

function fail(name, error) {
  failed++;
  console.log(`FAILED on rank ${rank} of ${size}: ${name}: ${error.stack}`);
}

export function equal(got, expected, what = "value") {
  const [a, b] = [text(got), text(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

const text = (value) =>
  JSON.stringify(value, (_, each) =>
    ArrayBuffer.isView(each) ? Array.from(each) : typeof each === "bigint" ? `${each}n` : each,
  );

/** The error that `work` throws, in one line. */
export function thrown(work) {
  try {
    work();
  } catch (error) {
    if (/\n/.test(error.message))
      throw new Error(`expected an error of one line, got ${JSON.stringify(error.message)}`);
    return error;
  }
  throw new Error("expected an error, got none");
}

export function matches(error, pattern) {
  if (!pattern.test(error.message)) throw new Error(`expected ${pattern}, got ${error.message}`);
}

/** Gives timers their turns until something is so; what never is is told by the check that follows. */
export async function until(isSo) {
  for (const end = performance.now() + hangMs / 4; !isSo() && performance.now() < end;)
    await new Promise((go) => setTimeout(go, 5));
}

/** To be called last: every rank says how many checks it made. */
export function report() {
  console.log(`rank ${rank} of ${size}: ${passed} passed, ${failed} failed`);
}
