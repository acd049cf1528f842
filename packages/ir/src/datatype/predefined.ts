import { BoundsMemo } from "../bounds/bounds-memo.js";
import { DatatypeError } from "../errors.js";
import { nearest } from "./nearest.js";
import { PREDEFINED_NAMES, type PredefinedName } from "./predefined-table.js";
import { quoted } from "../checks/quoted.js";
import type { Predefined } from "./datatype.js";

const nodes: ReadonlyMap<string, Predefined> = new Map(
  PREDEFINED_NAMES.map((name) => [name, Object.freeze({ kind: "predefined", name, memo: new BoundsMemo() })]),
);

/**
 * The datatype of an MPI name such as "MPI_DOUBLE"; always the same node for one name.
 * @throws DatatypeError for another name, with the nearest known one.
 */
export function predefined(name: PredefinedName): Predefined {
  return predefinedCalled(name);
}

/** As `predefined`, for a name that came from outside. */
export function predefinedCalled(name: string, path?: string): Predefined {
  const node = nodes.get(name);
  if (node !== undefined) return node;
  const near = typeof name === "string" ? nearest(name, PREDEFINED_NAMES) : undefined;
  const hint = near === undefined ? " such as MPI_DOUBLE" : ` (did you mean ${near}?)`;
  throw new DatatypeError({
    ...(path === undefined ? {} : { path }),
    subject: "predefined datatype",
    expected: `the MPI name of a C type${hint}`,
    got: quoted(name),
  });
}
