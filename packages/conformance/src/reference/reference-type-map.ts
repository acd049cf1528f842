import { ArgumentError, isDatatype, predefinedFacts, quoted, type Datatype } from "@stowage/ir";
import type { ByteMap, Entry } from "./byte-map.js";
import { copiesOf, type Copy } from "./copies-of.js";
import { referenceBounds } from "./reference-bounds.js";

const extentOf = (datatype: Datatype): number => referenceBounds(datatype).extentBytes;

/**
 * The type map of one element, entry by entry in packed order: each basic element and where it lies, straight from
 * the constructors' definitions. It uses no lowering, no canonical form and no backend.
 * Throws an ArgumentError at the first entry of what is no datatype.
 */
export function* referenceTypeMap(datatype: Datatype): Generator<Entry, void, void> {
  if (!isDatatype(datatype)) throw new ArgumentError("datatype", "one of a builder", quoted(datatype));
  const open: { readonly copies: Iterator<Copy>; readonly baseBytes: number }[] = [
    { copies: [{ child: datatype, displacementBytes: 0 }].values(), baseBytes: 0 },
  ];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.copies.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const { child, displacementBytes } = next.value;
    const baseBytes = top.baseBytes + displacementBytes;
    if (child.kind === "predefined") {
      for (const { offsetBytes, lengthBytes } of predefinedFacts(child.name).entries) {
        yield { offsetBytes: baseBytes + offsetBytes, lengthBytes };
      }
    } else {
      open.push({ copies: copiesOf(child, extentOf), baseBytes });
    }
  }
}

/** The type map and extent of a datatype, as the laws use them. */
export function byteMapOfDatatype(datatype: Datatype): ByteMap {
  const { sizeBytes, extentBytes } = referenceBounds(datatype);
  return { entries: [...referenceTypeMap(datatype)], sizeBytes, extentBytes };
}
