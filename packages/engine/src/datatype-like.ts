import {
  ArgumentError,
  canonicalise,
  isDatatype,
  lower,
  parseDatatype,
  quoted,
  type Datatype,
  type DatatypeDocument,
  type Layout,
} from "@stowage/ir";

/** A datatype as callers have it: built, as a layout, as a JSON document, or by its MPI name such as "MPI_DOUBLE". */
export type DatatypeLike = Datatype | Layout | DatatypeDocument;

/** What it describes: a document or a name is parsed. Throws a DatatypeError where it cannot be. */
export function datatypeOf(given: DatatypeLike): Datatype | Layout {
  if (isDatatype(given)) return given;
  if (typeof given === "object" && given !== null && "root" in given) return requireLayout(given);
  if (typeof given === "string" || (typeof given === "object" && given !== null && "kind" in given)) {
    return parseDatatype(given);
  }
  throw new ArgumentError("datatype", "one that was built, a layout, a document or an MPI name", quoted(given));
}

export const canonicalLayout = (type: Datatype | Layout): Layout => canonicalise(isDatatype(type) ? lower(type) : type);

/** Builders freeze what they make. */
function requireLayout(given: Layout): Layout {
  if (Object.isFrozen(given) && Object.isFrozen(given.root) && typeof given.sizeBytes === "number") return given;
  throw new ArgumentError("layout", "one that a builder of @stowage/ir made", quoted(given));
}
