import type { Datatype } from "./datatype.js";
import { predefinedCalled } from "./predefined.js";
import type { PredefinedName } from "./predefined-table.js";
import { requireDatatype } from "./require-datatype.js";

/** What builders make datatypes of: another datatype, or a predefined one by its MPI name, such as "MPI_DOUBLE". */
export type ChildDatatype = Datatype | PredefinedName;

/** The datatype that a builder was given at an argument called `path`. Throws a DatatypeError where it is none. */
export function childDatatype(given: ChildDatatype, path: string): Datatype {
  return typeof given === "string" ? predefinedCalled(given, path) : requireDatatype(given, path);
}
