import { require } from "../law-violation.js";

/** Errors that a backend may throw at bad input. */
export type ErrorName = "BindingError" | "DisposedError" | "ArtifactError" | "DeviceError";

/** The attempt must throw one of the typed errors, with one line that names the subject, the expected and the got. */
export function requireRefused(what: string, errors: readonly ErrorName[], attempt: () => unknown): void {
  const thrown = thrownBy(attempt);
  require(thrown !== undefined, `${what}: expected ${errors.join(" or ")}, got no error`);
  const { name, message } = thrown instanceof Error ? thrown : { name: typeof thrown, message: String(thrown) };
  const isTyped = errors.some((error) => error === name);
  require(isTyped, `${what}: expected ${errors.join(" or ")}, got ${name}: ${message}`);
  require(/^\S[^\n]*$/.test(message), `message for ${what}: expected one line, got ${JSON.stringify(message)}`);
  const saysAll = name !== "BindingError" || /^.+: expected .+, got .+$/.test(message);
  require(saysAll, `message for ${what}: expected "subject: expected ..., got ...", got ${JSON.stringify(message)}`);
}

function thrownBy(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    return error ?? new Error("nothing");
  }
  return undefined;
}
