import { ArtifactError, requireArtifactOf, type Artifact, type Data } from "@stowage/backend-api";
import { FEATURE_LEVELS, type FeatureLevel } from "./feature-level.js";

export const FORMAT_VERSION = 1;
export const NAME = "x64";

/** What an artifact of this backend holds: one piece of code, and where each move enters it. */
export interface Payload {
  readonly level: FeatureLevel;
  readonly code: Uint8Array;
  readonly entries: Int32Array;
  /** How unwinders find callers from the code, for programs in C; undefined where nobody asked for it. */
  readonly frames?: Uint8Array | undefined;
}

export const dataOf = ({ level, code, entries, frames }: Payload): Data => ({
  level,
  code,
  entries,
  ...(frames === undefined ? {} : { frames }),
});

const isRecord = (data: Data): data is { readonly [name: string]: Data } =>
  typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && !Array.isArray(data);

/** Throws an ArtifactError where the artifact is another's, of another version, or damaged. */
export function payloadOf(artifact: Artifact): Payload {
  const { moves, payload } = requireArtifactOf(artifact, NAME, FORMAT_VERSION);
  const { level, code, entries } = isRecord(payload) ? payload : {};
  const known = FEATURE_LEVELS.find((candidate) => candidate === level);
  if (known === undefined || !(code instanceof Uint8Array) || !(entries instanceof Int32Array)) {
    throw new ArtifactError(`payload of an ${NAME} artifact: expected level, code and entries, got something else`);
  }
  if (entries.length !== moves.length || entries.some((entry) => entry < 0 || entry >= code.length)) {
    throw new ArtifactError(
      `entries of an ${NAME} artifact: expected ${moves.length} inside the code, got ${entries.length}`,
    );
  }
  return { level: known, code, entries };
}
