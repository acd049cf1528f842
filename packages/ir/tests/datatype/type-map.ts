import { predefinedFacts, type Datatype } from "../../src/index.js";
import type { Darray, Subarray } from "../../src/datatype/datatype.js";

/** One entry of a type map: a basic element and the byte it starts at. */
export interface Entry {
  readonly basic: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** A type map written out in full, with its bounds; the definitions of MPI 4.1, section 5.1, one by one. */
export interface TypeMap {
  readonly entries: readonly Entry[];
  readonly lb: number;
  readonly ub: number;
  readonly explicit: boolean;
  readonly alignment: number;
}

const NOTHING: TypeMap = { entries: [], lb: 0, ub: 0, explicit: false, alignment: 1 };

/** The type map of a small datatype, by recursion and enumeration: slow, plain and shared with nothing. */
export function typeMap(type: Datatype, padding: "struct" | "none"): TypeMap {
  if (type.kind === "predefined") {
    const facts = predefinedFacts(type.name);
    return { entries: facts.entries, lb: 0, ub: facts.extentBytes, explicit: false, alignment: facts.alignmentBytes };
  }
  if (type.kind === "struct") {
    const placed = type.children.flatMap((child, i) => {
      const map = typeMap(child, padding);
      return block(type.displacementsBytes[i] ?? 0, type.blocklengths[i] ?? 0, extent(map)).map((at) => ({ map, at }));
    });
    const map = concatenated(placed, true);
    const over = map.explicit || padding === "none" ? 0 : (map.ub - map.lb) % map.alignment;
    return over === 0 ? map : { ...map, ub: map.ub + map.alignment - over };
  }
  const map = typeMap(type.child, padding);
  const e = extent(map);
  const copiesAt = (places: readonly number[]): TypeMap =>
    concatenated(map.entries.length === 0 ? [] : places.map((at) => ({ map, at })));
  switch (type.kind) {
    case "contiguous":
      return copiesAt(block(0, type.count, e));
    case "vector":
      return copiesAt(upTo(type.count).flatMap((i) => block(i * type.stride * e, type.blocklength, e)));
    case "hvector":
      return copiesAt(upTo(type.count).flatMap((i) => block(i * type.strideBytes, type.blocklength, e)));
    case "indexed":
      return copiesAt([...type.displacements].flatMap((d, i) => block(d * e, type.blocklengths[i] ?? 0, e)));
    case "hindexed":
      return copiesAt([...type.displacementsBytes].flatMap((d, i) => block(d, type.blocklengths[i] ?? 0, e)));
    case "indexed_block":
      return copiesAt([...type.displacements].flatMap((d) => block(d * e, type.blocklength, e)));
    case "hindexed_block":
      return copiesAt([...type.displacementsBytes].flatMap((d) => block(d, type.blocklength, e)));
    case "subarray":
      return { ...copiesAt(subarrayElements(type).map((i) => i * e)), ...wholeArray(type.sizes, e) };
    case "darray":
      return { ...copiesAt(darrayElements(type).map((i) => i * e)), ...wholeArray(type.gsizes, e) };
    case "resized":
      return { ...map, lb: type.lowerBoundBytes, ub: type.lowerBoundBytes + type.extentBytes, explicit: true };
    case "dup":
      return map;
  }
}

export const extent = (map: TypeMap): number => map.ub - map.lb;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const block = (start: number, length: number, e: number): readonly number[] => upTo(length).map((j) => start + j * e);

/** `marksEmpty`: whether empty maps beside others still mark where they stand, as members of a struct do. */
function concatenated(placed: readonly { readonly map: TypeMap; readonly at: number }[], marksEmpty = false): TypeMap {
  const full = placed.filter(({ map }) => map.entries.length > 0 || map.explicit);
  if (full.length === 0) return NOTHING;
  const explicit = full.some(({ map }) => map.explicit);
  const bounding = (marksEmpty ? placed : full).filter(({ map }) => map.explicit === explicit);
  return {
    entries: full.flatMap(({ map, at }) =>
      map.entries.map((entry) => ({ ...entry, offsetBytes: at + entry.offsetBytes })),
    ),
    lb: Math.min(...bounding.map(({ map, at }) => at + map.lb)),
    ub: Math.max(...bounding.map(({ map, at }) => at + map.ub)),
    explicit,
    alignment: Math.max(...full.map(({ map }) => map.alignment)),
  };
}

function wholeArray(sizes: readonly number[], e: number): { lb: number; ub: number; explicit: true } {
  return { lb: 0, ub: sizes.reduce((product, size) => product * size, 1) * e, explicit: true };
}

/** Linear indices, in memory order, of the elements whose every coordinate passes. */
function elementsWhere(
  sizes: readonly number[],
  order: "C" | "F",
  passes: (coordinate: number, dimension: number) => boolean,
): readonly number[] {
  const fastest = order === "F" ? sizes.map((_, i) => i) : sizes.map((_, i) => sizes.length - 1 - i);
  const total = sizes.reduce((product, size) => product * size, 1);
  return upTo(total).filter((index) => {
    let rest = index;
    return fastest.every((dimension) => {
      const size = sizes[dimension] ?? 1;
      const coordinate = rest % size;
      rest = (rest - coordinate) / size;
      return passes(coordinate, dimension);
    });
  });
}

function subarrayElements({ sizes, subsizes, starts, order }: Subarray): readonly number[] {
  return elementsWhere(sizes, order, (at, i) => at >= (starts[i] ?? 0) && at < (starts[i] ?? 0) + (subsizes[i] ?? 0));
}

/** Each element of the array belongs to one process: that of its block, dealt round the grid. */
function darrayElements({ gsizes, distribs, dargs, psizes, rank, order }: Darray): readonly number[] {
  const mine: number[] = [];
  let rest = rank;
  for (let i = psizes.length - 1; i >= 0; i--) {
    mine[i] = rest % (psizes[i] ?? 1);
    rest = (rest - (mine[i] ?? 0)) / (psizes[i] ?? 1);
  }
  return elementsWhere(gsizes, order, (at, i) => {
    const gsize = gsizes[i] ?? 1;
    const psize = psizes[i] ?? 1;
    const perBlock =
      distribs[i] === "none" ? gsize : (dargs[i] ?? (distribs[i] === "block" ? Math.ceil(gsize / psize) : 1));
    return Math.floor(at / perBlock) % psize === mine[i];
  });
}
