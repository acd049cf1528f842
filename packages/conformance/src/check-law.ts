import type { Backend } from "@stowage/backend-api";
import type { Law } from "./laws/law.js";
import { resolveSettings } from "./resolve-settings.js";
import type { LawOptions } from "./settings.js";

/**
 * Runs one law on a backend, under any test runner. Throws a LawViolation with a counterexample and the seed where the
 * backend breaks it, and an ArgumentError for options that are none.
 *
 * @example
 * ```ts
 * for (const law of LAWS) checkLaw(law, () => new CpuBackend(), { runs: 100, seed: 7 });
 * ```
 */
export function checkLaw(law: Law, factory: () => Backend, options: LawOptions = {}): void {
  law.check(resolveSettings(factory, options));
}
