import { predefinedFacts, visitPostOrder, type Datatype } from "@stowage/ir";
import { copiesOf, type Derived } from "./copies-of.js";

/** Size and bounds of one element in bytes, worked out from every copy of every child. */
export interface ReferenceBounds {
  readonly sizeBytes: number;
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
}

interface Marks extends ReferenceBounds {
  readonly alignmentBytes: number;
  /** Set by the user (resized, subarray, darray), here or inside: then no other marks count. */
  readonly isExplicit: boolean;
}

const NOTHING: Marks = { sizeBytes: 0, alignmentBytes: 1, lowerBoundBytes: 0, extentBytes: 0, isExplicit: false };

const known = new WeakMap<Datatype, Marks>();

/** MPI 4.1, section 5.1.5, with the padding that a struct gets there. */
export function referenceBounds(datatype: Datatype): ReferenceBounds {
  visitPostOrder(
    datatype,
    (type) => known.has(type),
    (type) => known.set(type, type.kind === "predefined" ? predefinedMarks(type.name) : derivedMarks(type)),
  );
  const { sizeBytes, lowerBoundBytes, extentBytes } = known.get(datatype) as Marks;
  return { sizeBytes, lowerBoundBytes, extentBytes };
}

function predefinedMarks(name: Parameters<typeof predefinedFacts>[0]): Marks {
  const { entries, extentBytes, alignmentBytes } = predefinedFacts(name);
  const sizeBytes = entries.reduce((sum, { lengthBytes }) => sum + lengthBytes, 0);
  return { sizeBytes, lowerBoundBytes: 0, extentBytes, alignmentBytes, isExplicit: false };
}

function derivedMarks(type: Derived): Marks {
  const marks = hull(type);
  switch (type.kind) {
    case "resized":
      return {
        ...marks,
        lowerBoundBytes: type.lowerBoundBytes,
        extentBytes: type.extentBytes,
        isExplicit: true,
      };
    case "subarray":
      return { ...marks, lowerBoundBytes: 0, extentBytes: wholeExtent(type.sizes, type.child), isExplicit: true };
    case "darray":
      return { ...marks, lowerBoundBytes: 0, extentBytes: wholeExtent(type.gsizes, type.child), isExplicit: true };
    case "struct":
      return padded(marks);
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "dup":
      return marks;
  }
}

/** One copy of a child: what it is made of, and the two marks that it brings along. */
interface Placed {
  readonly marks: Marks;
  readonly lower: number;
  readonly upper: number;
}

/**
 * The least lower mark and the greatest upper one of all copies. Copies of one empty type make an empty type, whatever
 * bounds it has; in a struct an empty member marks where it stands, as long as some other member is not empty.
 */
function hull(type: Derived): Marks {
  const placed = placedCopies(type);
  const full = placed.filter(({ marks }) => marks.sizeBytes > 0 || (keepsMarks(type) && marks.isExplicit));
  if (full.length === 0) return NOTHING;
  const explicit = full.filter(({ marks }) => marks.isExplicit);
  const bounding = explicit.length > 0 ? explicit : type.kind === "struct" ? placed : full;
  const lower = bounding.reduce((least, each) => Math.min(least, each.lower), Infinity);
  const upper = bounding.reduce((most, each) => Math.max(most, each.upper), -Infinity);
  return {
    sizeBytes: full.reduce((sum, { marks }) => sum + marks.sizeBytes, 0),
    alignmentBytes: full.reduce((most, { marks }) => Math.max(most, marks.alignmentBytes), 1),
    lowerBoundBytes: lower,
    extentBytes: upper - lower,
    isExplicit: explicit.length > 0,
  };
}

const keepsMarks = ({ kind }: Derived): boolean => kind === "struct" || kind === "resized" || kind === "dup";

function placedCopies(type: Derived): readonly Placed[] {
  const marksOf = (child: Datatype): Marks => known.get(child) as Marks;
  return Array.from(
    copiesOf(type, (child) => marksOf(child).extentBytes),
    ({ child, displacementBytes }) => {
      const marks = marksOf(child);
      const lower = displacementBytes + marks.lowerBoundBytes;
      return { marks, lower, upper: lower + marks.extentBytes };
    },
  );
}

const wholeExtent = (sizes: readonly number[], child: Datatype): number =>
  sizes.reduce((product, size) => product * size, (known.get(child) as Marks).extentBytes);

function padded(marks: Marks): Marks {
  const over = marks.isExplicit ? 0 : marks.extentBytes % marks.alignmentBytes;
  return over === 0 ? marks : { ...marks, extentBytes: marks.extentBytes + marks.alignmentBytes - over };
}
