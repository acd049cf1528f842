import { visitPostOrder, type Datatype } from "@stowage/ir";
import { markedTypeMap, type Limits } from "./marked-type-map.js";

/** The size and the bounds of one element in bytes, computed from every entry of the type map. */
export interface ReferenceBounds {
  /** The bytes of data. */
  readonly sizeBytes: number;
  /** Bytes from address 0 to where the element begins; it may be negative. */
  readonly lowerBoundBytes: number;
  /** The distance of neighbouring elements in bytes. */
  readonly extentBytes: number;
}

const known = new WeakMap<Datatype, ReferenceBounds & Limits>();

/**
 * Computes the size and the bounds of a datatype by the standard's rule: MPI 4.1, section 5.1.5, with the padding that
 * a struct gets there.
 */
export function referenceBounds(datatype: Datatype): ReferenceBounds {
  const { sizeBytes, lowerBoundBytes, extentBytes } = limitsOf(datatype);
  return { sizeBytes, lowerBoundBytes, extentBytes };
}

/** As referenceBounds, and whether markers set them. */
export function limitsOf(datatype: Datatype): ReferenceBounds & Limits {
  visitPostOrder(
    datatype,
    (type) => known.has(type),
    (type) => known.set(type, ofEntries(type)),
  );
  return known.get(datatype) as ReferenceBounds & Limits;
}

/** The markers' least and greatest, or, where there are none, those of data and padding. */
function ofEntries(type: Datatype): ReferenceBounds & Limits {
  let [sizeBytes, alignmentBytes] = [0, 1];
  const [data, markers] = [new Interval(), new Interval()];
  for (const entry of markedTypeMap(type, (inside) => known.get(inside) as Limits)) {
    switch (entry.kind) {
      case "data":
        sizeBytes += entry.lengthBytes;
        alignmentBytes = Math.max(alignmentBytes, entry.alignmentBytes);
        data.holdLower(entry.atBytes);
        data.holdUpper(entry.atBytes + entry.lengthBytes);
        break;
      case "end of padding":
        data.holdUpper(entry.atBytes);
        break;
      case "lower marker":
        markers.holdLower(entry.atBytes);
        break;
      case "upper marker":
        markers.holdUpper(entry.atBytes);
    }
  }
  if (markers.isSet) return { sizeBytes, ...markers.bounds(), isMarked: true };
  const bounds = data.isSet ? data.bounds() : { lowerBoundBytes: 0, extentBytes: 0 };
  const epsilon =
    type.kind === "struct" ? (alignmentBytes - (bounds.extentBytes % alignmentBytes)) % alignmentBytes : 0;
  return { sizeBytes, ...bounds, extentBytes: bounds.extentBytes + epsilon, isMarked: false };
}

/** From the least lower bound that was held to the greatest upper one, which may lie below it. */
class Interval {
  #lower = Infinity;
  #upper = -Infinity;

  get isSet(): boolean {
    return this.#lower !== Infinity;
  }

  holdLower(bytes: number): void {
    this.#lower = Math.min(this.#lower, bytes);
  }

  holdUpper(bytes: number): void {
    this.#upper = Math.max(this.#upper, bytes);
  }

  bounds(): Pick<ReferenceBounds, "lowerBoundBytes" | "extentBytes"> {
    return { lowerBoundBytes: this.#lower, extentBytes: this.#upper - this.#lower };
  }
}
