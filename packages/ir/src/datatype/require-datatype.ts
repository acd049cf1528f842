import { quoted } from "../checks/quoted.js";
import { DatatypeError } from "../errors.js";
import type { Datatype } from "./datatype.js";
import { isDatatype } from "./is-datatype.js";

/** Throws where plain JavaScript handed over something that no builder made. */
export function requireDatatype(value: Datatype, path?: string): Datatype {
  if (isDatatype(value)) return value;
  const where = path === undefined ? { subject: "datatype" } : { path, subject: "child" };
  throw new DatatypeError({ ...where, expected: "a datatype", got: quoted(value) });
}
