import type { Backend } from "@stowage/backend-api";
import { ArgumentError, quoted } from "@stowage/ir";
import type { Rule } from "./check-options.js";

export const BACKENDS: Rule = {
  expected: "a list of backends",
  allows: (value) => Array.isArray(value) && value.every(isBackend),
};

const isBackend = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || !("name" in value)) return false;
  const { supports, compile, load } = value as Record<string, unknown>;
  return typeof supports === "function" && typeof compile === "function" && typeof load === "function";
};

/** Lists that were looked at, and are frozen: an engine's is asked with each move. */
const CHECKED = new WeakSet<readonly Backend[]>();

/** Returns a list of backends; throws an ArgumentError for anything else. */
export function requireBackends(backends: readonly Backend[]): readonly Backend[] {
  if (CHECKED.has(backends)) return backends;
  if (BACKENDS.allows(backends)) {
    if (Object.isFrozen(backends)) CHECKED.add(backends);
    return backends;
  }
  throw new ArgumentError("backends", BACKENDS.expected, quoted(backends));
}

/**
 * The name of a backend that was asked for, or undefined where none was. Throws an ArgumentError of this subject where
 * no backend of the list has it.
 */
export function requireNamed(
  subject: string,
  backends: readonly Backend[],
  name: string | undefined,
): string | undefined {
  if (name === undefined || requireBackends(backends).some((backend) => backend.name === name)) return name;
  const names = backends.map((backend) => backend.name).join(", ");
  throw new ArgumentError(subject, `one of ${names}`, typeof name === "string" ? name : quoted(name));
}
