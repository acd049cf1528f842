import type { Backend } from "@stowage/backend-api";
import { ArgumentError } from "@stowage/ir";
import { A_FUNCTION, A_STRING, checkOptions, integerFrom, type Rule, type Rules } from "./check-options.js";
import type { Choose } from "./choose.js";
import type { Observer } from "./observe.js";
import { BACKENDS, requireNamed } from "./require-backends.js";

/** What an engine is made of. */
export interface EngineSettings {
  /** The backends to choose among, in the order in which they are asked; their names differ. */
  readonly backends: readonly Backend[];
  /** Chooses a backend for each datatype. Default: the first that supports it. */
  readonly choose?: Choose;
  /** The backend to use for everything, by name; a commit's own option goes before it. */
  readonly forced?: string;
  /** An object that is told how long a sample of calls took. Default: no call is timed. */
  readonly observer?: Observer;
  /** What the engine owns, and disposes of after its kernels. */
  readonly owned?: readonly Disposable[];
  /**
   * How many kernels are kept that nothing committed uses any more: the next commit of an equal datatype may. Default:
   * 64.
   */
  readonly unusedKernels?: number;
}

const AN_OBSERVER: Rule = {
  expected: "an observer of calls",
  allows: (value) => typeof value === "object" && value !== null && "nowNs" in value && "observe" in value,
};

const OWNED: Rule = { expected: "a list of disposables", allows: (value) => Array.isArray(value) };

const RULES: Rules<EngineSettings> = {
  backends: BACKENDS,
  choose: A_FUNCTION,
  forced: A_STRING,
  observer: AN_OBSERVER,
  owned: OWNED,
  unusedKernels: integerFrom(0),
};

/** Throws an ArgumentError. */
export function checkSettings(settings: EngineSettings): void {
  checkOptions("engine settings", settings, RULES);
  if (settings.backends === undefined) throw new ArgumentError("engine settings", "backends", "none");
  const names = settings.backends.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new ArgumentError("engine settings: backends", "names that differ", `${twice} twice`);
  requireNamed("forced backend", settings.backends, settings.forced);
}
