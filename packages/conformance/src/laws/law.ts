import type { Backend } from "@stowage/backend-api";
import * as fc from "fast-check";
import type { LawSettings } from "../settings.js";

/** One law that every backend keeps. */
export interface Law {
  readonly number: number;
  readonly title: string;
  /** Throws with a counterexample where the backend breaks the law. */
  readonly check: (settings: LawSettings) => void;
}

/** Cases that a backend refuses do not count; it may refuse most, as one for strided objects does. */
const MOST_SKIPS_A_CASE = 1000;

/** Runs a property on as many generated cases as the settings say, on one backend. */
export function assertOn<Case>(
  settings: LawSettings,
  arbitrary: fc.Arbitrary<Case>,
  property: (input: Case, backend: Backend) => void,
): void {
  const backend = settings.factory();
  fc.assert(
    fc.property(arbitrary, (input) => {
      property(input, backend);
    }),
    { numRuns: settings.runs, seed: settings.seed, maxSkipsPerRun: MOST_SKIPS_A_CASE, includeErrorInReport: true },
  );
}
