import { childrenOf, predefinedFacts, visitPostOrder, type Datatype } from "@stowage/ir";
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

const isNothing = ({ sizeBytes, isExplicit }: Marks): boolean => sizeBytes === 0 && !isExplicit;

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

/** The least lower mark and the greatest upper one of all copies that put anything into the type map. */
function hull(type: Derived): Marks {
  const extentOf = (child: Datatype): number => (known.get(child) as Marks).extentBytes;
  const isExplicit = childrenOf(type).length > 0 && hasExplicitCopy(type, extentOf);
  let sizeBytes = 0;
  let alignmentBytes = 1;
  let lower = Infinity;
  let upper = -Infinity;
  for (const { child, displacementBytes } of copiesOf(type, extentOf)) {
    const marks = known.get(child) as Marks;
    if (isNothing(marks)) continue;
    sizeBytes += marks.sizeBytes;
    alignmentBytes = Math.max(alignmentBytes, marks.alignmentBytes);
    if (isExplicit && !marks.isExplicit) continue;
    lower = Math.min(lower, displacementBytes + marks.lowerBoundBytes);
    upper = Math.max(upper, displacementBytes + marks.lowerBoundBytes + marks.extentBytes);
  }
  if (lower === Infinity) return { sizeBytes, alignmentBytes, lowerBoundBytes: 0, extentBytes: 0, isExplicit };
  return { sizeBytes, alignmentBytes, lowerBoundBytes: lower, extentBytes: upper - lower, isExplicit };
}

function hasExplicitCopy(type: Derived, extentOf: (child: Datatype) => number): boolean {
  for (const { child } of copiesOf(type, extentOf)) if ((known.get(child) as Marks).isExplicit) return true;
  return false;
}

const wholeExtent = (sizes: readonly number[], child: Datatype): number =>
  sizes.reduce((product, size) => product * size, (known.get(child) as Marks).extentBytes);

function padded(marks: Marks): Marks {
  const over = marks.isExplicit ? 0 : marks.extentBytes % marks.alignmentBytes;
  return over === 0 ? marks : { ...marks, extentBytes: marks.extentBytes + marks.alignmentBytes - over };
}
