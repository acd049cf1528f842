import { ArtifactError, requireArtifactOf, type Artifact, type Data } from "@stowage/backend-api";
import type { Target } from "./target.js";

export const FORMAT_VERSION = 1;
export const NAME = "llvm";

/**
 * What an artifact of this backend holds: one object file, whose functions are named by entryNames, and what it is for.
 */
export interface Payload {
  readonly target: Target;
  readonly object: Uint8Array;
}

export const dataOf = ({ target: { triple, features }, object }: Payload): Data => ({ triple, features, object });

const isRecord = (data: Data): data is { readonly [name: string]: Data } =>
  typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && !Array.isArray(data);

/** Throws an ArtifactError where the artifact is another's, of another version, or damaged. */
export function payloadOf(artifact: Artifact): Payload {
  const { payload } = requireArtifactOf(artifact, NAME, FORMAT_VERSION);
  const { triple, features, object } = isRecord(payload) ? payload : {};
  if (typeof triple !== "string" || typeof features !== "string" || !(object instanceof Uint8Array))
    throw new ArtifactError(`payload of an ${NAME} artifact: expected triple, features and object, got something else`);
  return { target: { triple, features }, object };
}
