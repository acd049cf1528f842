import type { Backend } from "@stowage/backend-api";
import { beforeAll, describe, test } from "vitest";
import { LAWS } from "./laws/laws.js";
import { resolveSettings } from "./resolve-settings.js";
import type { LawOptions, LawSettings } from "./settings.js";

const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Declares one vitest test a law for a backend. `factory` makes a backend anew: each law has one of its own, and law 8
 * loads artifacts with a second. The seed is printed; STOWAGE_SEED repeats a run, STOWAGE_LAW_RUNS changes the number
 * of cases a law. Throws an ArgumentError for options that are none.
 *
 * @example
 * ```ts
 * describeBackend("my backend", () => new MyBackend(), { maxSizeBytes: 512 });
 * ```
 */
export function describeBackend(name: string, factory: () => Backend, options: LawOptions = {}): void {
  const settings = resolveSettings(factory, options);
  describe(`${name} keeps the laws${limitsOf(settings)}`, () => {
    beforeAll(() => {
      console.log(
        `laws of ${name}: seed ${settings.seed}, ${settings.runs} cases a law; repeat with STOWAGE_SEED=${settings.seed}`,
      );
    });
    for (const law of LAWS) {
      test(`law ${law.number}: ${law.title}`, () => law.check(settings), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    }
  });
}

/** What the options leave out stands in the name, so that no law is skipped in silence. */
function limitsOf({ directions, addressSpaces }: LawSettings): string {
  const limits = [
    ...(directions.length < 3 ? [`${directions.join(" and ")} only`] : []),
    ...(addressSpaces ? [] : ["single buffers only"]),
  ];
  return limits.length === 0 ? "" : ` (${limits.join("; ")})`;
}
