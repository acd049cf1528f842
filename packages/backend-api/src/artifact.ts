import { quoted } from "@stowage/ir";
import { requireConditions, type Conditions } from "./conditions.js";
import { ArtifactError } from "./errors.js";
import { requireMoves, type Move } from "./move.js";

/** Plain data: what survives being stored and read back. */
export type Data = null | boolean | number | string | DataTable | readonly Data[] | { readonly [name: string]: Data };
/** A table of constants in an artifact. A container stores it as it lies in memory, little-endian. */
export type DataTable = Uint8Array | Int32Array | Float64Array | BigInt64Array;

/**
 * What compiling gives: data alone, position-independent, free of process addresses. It can be stored (encodeArtifact),
 * shared, and loaded in another process.
 */
export interface Artifact {
  /** The name of the backend that compiled it; that one alone loads it. */
  readonly backend: string;
  /** The version of the payload's form, which the backend counts. A backend refuses to load another than its own. */
  readonly formatVersion: number;
  /** The artifact's name, from artifactKey: a hash of moves, conditions, target and format version. */
  readonly key: string;
  /** The moves that it was compiled for. A plan takes one binding for each. */
  readonly moves: readonly Move[];
  /** The conditions that it was compiled for. Bindings that break them are refused. */
  readonly conditions: Conditions;
  /** The backend's own: code, tables, grids. */
  readonly payload: Data;
  /** A canonical description of the datatype that the moves are of: what programs in C look artifacts up by. */
  readonly description?: Uint8Array;
}

const TYPES = { backend: "string", formatVersion: "number", key: "string" } as const;

/**
 * Returns the artifact. Throws where plain JavaScript handed over something else: an ArtifactError for it or its names,
 * an ArgumentError for its moves or conditions. The payload is left to its backend.
 */
export function requireArtifact(artifact: Artifact): Artifact {
  if (typeof artifact !== "object" || (artifact as Artifact | null) === null)
    throw new ArtifactError(`artifact: expected one, got ${quoted(artifact)}`);
  for (const [name, type] of Object.entries(TYPES)) {
    const value: unknown = artifact[name as keyof typeof TYPES];
    if (typeof value !== type)
      throw new ArtifactError(`${name} of an artifact: expected a ${type}, got ${quoted(value)}`);
  }
  requireMoves(artifact.moves);
  requireConditions(artifact.conditions);
  return artifact;
}

/**
 * Returns the artifact, for the backend of a name to load. Throws what requireArtifact does, and an ArtifactError where
 * it is another backend's, or of another format version.
 */
export function requireArtifactOf(artifact: Artifact, backend: string, formatVersion: number): Artifact {
  const got = requireArtifact(artifact);
  if (got.backend === backend && got.formatVersion === formatVersion) return got;
  const [expected, found] = [{ backend, formatVersion }, got].map(
    (of) => `format ${of.formatVersion} of ${of.backend}`,
  );
  throw new ArtifactError(`artifact: expected ${expected}, got ${found}`);
}
