import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import { LawViolation } from "../law-violation.js";
import type { LawSettings } from "../settings.js";

/** One law that every backend keeps (README of this package). */
export interface Law {
  /** Its number, from 1. */
  readonly number: number;
  /** What it asks, as a test's title. */
  readonly title: string;
  /** Tries the law on generated cases. Throws a LawViolation with a counterexample where the backend breaks it. */
  readonly check: (settings: LawSettings) => void;
}

/** Cases that a backend refuses do not count; it may refuse most, as one for strided objects does. */
const MOST_SKIPS_A_CASE = 1000;

/**
 * Runs a property on as many generated cases as the settings say, on one backend. `part` is the number of the law and
 * what of it the property is, such as `3 splits of a pack`: a replay names it.
 */
export function assertOn<Case>(
  settings: LawSettings,
  part: string,
  arbitrary: fc.Arbitrary<Case>,
  property: (input: Case, backend: Backend) => void,
): void {
  const { replay, runs, seed } = settings;
  if (replay !== undefined && replay.part !== part) return;
  const backend = settings.factory();
  const details = fc.check(
    fc.property(arbitrary, (input) => {
      property(input, backend);
    }),
    { numRuns: runs, seed, maxSkipsPerRun: MOST_SKIPS_A_CASE, ...(replay === undefined ? {} : { path: replay.path }) },
  );
  if (details.failed) throw violation(part, backend.name, details);
}

function violation<Case>(part: string, backend: string, details: fc.RunDetails<[Case]>): Error {
  const { counterexample, counterexamplePath, errorInstance, numShrinks, seed } = details;
  if (counterexample === null) return new LawViolation(`law ${part}: ${fc.defaultReportMessage(details) ?? "failed"}`);
  const [law] = part.split(" ");
  const lines = [
    `law ${part}, broken by ${backend}: ${messageOf(errorInstance)}`,
    `counterexample after ${numShrinks} steps: ${fc.stringify(counterexample[0])}`,
    `replay on ${backend}: STOWAGE_SEED=${seed} STOWAGE_REPLAY="${part}:${counterexamplePath}" npx vitest run -t "law ${law}"`,
  ];
  return new LawViolation(lines.join("\n"), { cause: errorInstance });
}

const messageOf = (error: unknown): string =>
  error instanceof LawViolation
    ? error.message
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error);
