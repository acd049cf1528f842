import { DatatypeError } from "../errors.js";
import type { Datatype } from "./datatype.js";
import { isDatatype } from "./is-datatype.js";
import { quoted } from "./quoted.js";

/** Throws where plain JavaScript handed a builder something that no builder made. */
export function requireDatatype(child: Datatype, path: string): Datatype {
  if (isDatatype(child)) return child;
  throw new DatatypeError({ path, subject: "child", expected: "a datatype", got: quoted(child) });
}
