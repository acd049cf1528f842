import { ArgumentError, isDatatype, quoted, type Datatype } from "@stowage/ir";
import type { ByteMap, Entry } from "./byte-map.js";
import { markedTypeMap } from "./marked-type-map.js";
import { limitsOf, referenceBounds } from "./reference-bounds.js";

/**
 * Yields the data of the type map of one element, entry by entry in packed order: each basic element and where it lies,
 * straight from the constructors' definitions (MPI 4.1, section 5.1). It uses no lowering, no canonical form and no
 * backend. Throws an ArgumentError at the first entry of what is no datatype.
 */
export function* referenceTypeMap(datatype: Datatype): Generator<Entry, void, void> {
  if (!isDatatype(datatype)) throw new ArgumentError("datatype", "one of a builder", quoted(datatype));
  for (const entry of markedTypeMap(datatype, limitsOf)) {
    if (entry.kind === "data") yield { offsetBytes: entry.atBytes, lengthBytes: entry.lengthBytes };
  }
}

/** The type map and extent of a datatype, as the laws use them. */
export function byteMapOfDatatype(datatype: Datatype): ByteMap {
  const { sizeBytes, extentBytes } = referenceBounds(datatype);
  return { entries: [...referenceTypeMap(datatype)], sizeBytes, extentBytes };
}
