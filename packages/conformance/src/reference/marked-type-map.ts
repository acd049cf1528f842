import { predefinedFacts, type Datatype } from "@stowage/ir";
import { copiesOf, type Derived } from "./copies-of.js";

/** An entry of a type map and the byte that it stands at, from the datatype's address 0. */
export type MapEntry =
  | { readonly kind: "data"; readonly atBytes: number; readonly lengthBytes: number; readonly alignmentBytes: number }
  /** Where padding ends that belongs to the data before it: a pair's, or a struct's. */
  | { readonly kind: "end of padding"; readonly atBytes: number }
  /** What a user set: by resized, or as the whole array of a subarray or darray. */
  | { readonly kind: "lower marker" | "upper marker"; readonly atBytes: number };

/** Where the datatypes inside begin and end; `isMarked` where markers say so. */
export interface Limits {
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
  readonly isMarked: boolean;
}

/** A constructor whose copies are being listed. */
interface Open {
  readonly type: Datatype;
  readonly rest: Iterator<Open>;
  readonly baseBytes: number;
  /** Markers inside count for nothing: this type, or one around it, has its own. */
  readonly isBounded: boolean;
}

/** Inside a predefined datatype, most of what a type map is made of. */
const NOTHING: Iterator<Open> = { next: () => ({ done: true, value: undefined }) };

/**
 * The type map of one element, entry by entry in packed order, as MPI 4.1, sections 5.1.2 to 5.1.7, makes one of
 * others: each constructor copies the entries of its children and displaces them, markers as well as data; those that
 * set bounds put their markers in the place of all markers inside. What holds no entry adds none. The datatype's own
 * padding, should it be a struct, is left to who knows all entries.
 */
export function* markedTypeMap(datatype: Datatype, limitsOf: (inside: Datatype) => Limits): Generator<MapEntry> {
  const extentOf = (child: Datatype): number => limitsOf(child).extentBytes;
  function* inside(type: Derived, baseBytes: number, isBounded: boolean): Generator<Open> {
    for (const { child, displacementBytes } of copiesOf(type, extentOf))
      yield opened(child, baseBytes + displacementBytes, isBounded);
  }
  function opened(type: Datatype, baseBytes: number, isBounded: boolean): Open {
    if (type.kind === "predefined") return { type, rest: NOTHING, baseBytes, isBounded };
    const setsBounds = type.kind === "resized" || type.kind === "subarray" || type.kind === "darray";
    return { type, rest: inside(type, baseBytes, isBounded || setsBounds), baseBytes, isBounded };
  }
  const open = [opened(datatype, 0, false)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.rest.next();
    if (next.done !== true) open.push(next.value);
    else {
      open.pop();
      yield* ownEntries(top, extentOf);
      if (top.type.kind === "struct" && open.length > 0) yield* ownPadding(top, limitsOf(top.type));
    }
  }
}

/** What a constructor adds to the entries of its children. */
function* ownEntries({ type, baseBytes, isBounded }: Open, extentOf: (child: Datatype) => number): Generator<MapEntry> {
  switch (type.kind) {
    case "predefined": {
      const { entries, extentBytes, alignmentBytes } = predefinedFacts(type.name);
      for (const { offsetBytes, lengthBytes } of entries)
        yield { kind: "data", atBytes: baseBytes + offsetBytes, lengthBytes, alignmentBytes };
      yield { kind: "end of padding", atBytes: baseBytes + extentBytes };
      return;
    }
    case "resized":
      if (!isBounded) yield* markers(baseBytes + type.lowerBoundBytes, type.extentBytes);
      return;
    case "subarray":
      if (!isBounded) yield* markers(baseBytes, wholeArray(type.sizes, extentOf(type.child)));
      return;
    case "darray":
      if (!isBounded) yield* markers(baseBytes, wholeArray(type.gsizes, extentOf(type.child)));
      return;
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "struct":
    case "dup":
  }
}

function* ownPadding({ baseBytes }: Open, { lowerBoundBytes, extentBytes, isMarked }: Limits): Generator<MapEntry> {
  if (!isMarked && extentBytes > 0)
    yield { kind: "end of padding", atBytes: baseBytes + lowerBoundBytes + extentBytes };
}

function* markers(lowerBytes: number, extentBytes: number): Generator<MapEntry> {
  yield { kind: "lower marker", atBytes: lowerBytes };
  yield { kind: "upper marker", atBytes: lowerBytes + extentBytes };
}

const wholeArray = (sizes: readonly number[], elementBytes: number): number =>
  sizes.reduce((product, size) => product * size, elementBytes);
