import { quoted } from "@stowage/ir";
import { requireConditions, type Conditions } from "./conditions.js";
import { ArtifactError } from "./errors.js";
import { requireMoves, type Move } from "./move.js";

/** Plain data: what survives being stored and read back. */
export type Data = null | boolean | number | string | DataTable | readonly Data[] | { readonly [name: string]: Data };
/** A table of constants in an artifact. */
export type DataTable = Uint8Array | Int32Array | Float64Array | BigInt64Array;

/**
 * What compiling gives: data alone, position-independent, free of process addresses. It can be stored, shared and
 * loaded in another process; `key` names it (a hash of moves, conditions, target and format version).
 */
export interface Artifact {
  readonly backend: string;
  readonly formatVersion: number;
  readonly key: string;
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** The backend's own: code, tables, grids. */
  readonly payload: Data;
  /** A canonical description of the datatype that the moves are of: what programs in C look artifacts up by. */
  readonly description?: Uint8Array;
}

const TYPES = { backend: "string", formatVersion: "number", key: "string" } as const;

/**
 * Throws a StowageError where plain JavaScript handed over something that is no artifact. The payload is its backend's.
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
