import { ArtifactError, decodeArtifact, requireArtifact, type Artifact, type Backend } from "@stowage/backend-api";
import { checkOptions, type Rules } from "./check-options.js";

/** Which artifacts may be loaded. */
export interface LoadOptions {
  /**
   * The names of the backends whose artifacts are loaded; any other is refused before its backend sees it. Loading code
   * runs it sooner or later: of what comes from elsewhere only "cpu" is data alone, a program that is interpreted
   * within the buffers of each call. Default: every backend of the engine.
   */
  readonly allow?: readonly string[];
}

const RULES: Rules<LoadOptions> = {
  allow: {
    expected: "a list of names of backends",
    allows: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  },
};

export const checkLoadOptions = (options: LoadOptions): void => checkOptions("load options", options, RULES);

/** The artifact, and the backend that loads it. Throws an ArtifactError where none may. */
export function loadable(
  backends: readonly Backend[],
  stored: Artifact | Uint8Array,
  { allow = backends.map(({ name }) => name) }: LoadOptions,
): { readonly artifact: Artifact; readonly backend: Backend } {
  const artifact = ArrayBuffer.isView(stored) ? decodeArtifact(stored) : requireArtifact(stored);
  const backend = backends.find(({ name }) => name === artifact.backend && allow.includes(name));
  if (backend !== undefined) return { artifact, backend };
  const allowed = backends.map(({ name }) => name).filter((name) => allow.includes(name));
  const expected = allowed.length === 0 ? "none, for none is allowed" : `one of ${allowed.join(", ")}`;
  throw new ArtifactError(`backend of an artifact: expected ${expected}, got ${artifact.backend}`);
}
