import type { Backend } from "@stowage/backend-api";
import type { Law } from "./laws/law.js";
import { resolveSettings } from "./resolve-settings.js";
import type { LawOptions } from "./settings.js";

/** Runs one law on a backend, under any test runner. Throws with a counterexample and the seed where it is broken. */
export function checkLaw(law: Law, factory: () => Backend, options: LawOptions = {}): void {
  law.check(resolveSettings(factory, options));
}
