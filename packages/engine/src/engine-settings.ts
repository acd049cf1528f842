import type { Backend } from "@stowage/backend-api";
import { ArgumentError, quoted } from "@stowage/ir";
import { A_FUNCTION, A_STRING, checkOptions, integerFrom, type Rule, type Rules } from "./check-options.js";
import type { Choose } from "./choose.js";
import type { Observer } from "./observe.js";

export interface EngineSettings {
  readonly backends: readonly Backend[];
  /** Chooses a backend for each datatype. Default: the first that supports it. */
  readonly choose?: Choose;
  /** The backend to use for everything, by name; a commit's own option goes before it. */
  readonly forced?: string;
  /** Is told what a sample of calls took that were over when they returned. Default: no call is timed. */
  readonly observer?: Observer;
  /** What the engine owns, and disposes of after its kernels. */
  readonly owned?: readonly Disposable[];
  /** Kernels that nothing committed uses any more, but the next commit of an equal datatype may. Default: 64. */
  readonly unusedKernels?: number;
}

const BACKENDS: Rule = {
  expected: "a list of backends",
  allows: (value) => Array.isArray(value) && value.every(isBackend),
};

const isBackend = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  ["supports", "compile", "load"].every((method) => typeof (value as Record<string, unknown>)[method] === "function");

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
  requireNamed("forced backend", settings.backends, settings.forced);
}

/** Throws an ArgumentError for anything but a list of backends. */
export function requireBackends(backends: readonly Backend[]): readonly Backend[] {
  if (BACKENDS.allows(backends)) return backends;
  throw new ArgumentError("backends", BACKENDS.expected, quoted(backends));
}

/** The name of a backend that was asked for, or undefined where none was. Throws an ArgumentError where it is not there. */
export function requireNamed(
  subject: string,
  backends: readonly Backend[],
  name: string | undefined,
): string | undefined {
  if (name === undefined || requireBackends(backends).some((backend) => backend.name === name)) return name;
  const names = backends.map((backend) => backend.name).join(", ");
  throw new ArgumentError(subject, `one of ${names}`, typeof name === "string" ? name : quoted(name));
}
