import type { Conditions } from "./conditions.js";
import type { Move } from "./move.js";

/** Plain data: what survives being stored and read back. */
export type Data = null | boolean | number | string | DataTable | readonly Data[] | { readonly [name: string]: Data };
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
