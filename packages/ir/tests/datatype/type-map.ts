import { predefinedFacts, type Datatype } from "../../src/index.js";
import type { Darray, Subarray } from "../../src/datatype/datatype.js";

/** One entry of a type map: a basic element and the byte it starts at. */
export interface Entry {
  readonly basic: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/**
 * A type map written out in full: data, markers that users set, and where padding ends that belongs to the data (of a
 * struct, of a pair). Copies take all of them along. The definitions of MPI 4.1, section 5.1, one by one.
 */
export interface TypeMap {
  readonly entries: readonly Entry[];
  readonly lowerMarkers: readonly number[];
  readonly upperMarkers: readonly number[];
  readonly paddedEnds: readonly number[];
  readonly alignment: number;
}

/** The least lower marker and the greatest upper one; without markers, from the first byte of data to the last end. */
export function limits({
  entries,
  lowerMarkers,
  upperMarkers,
  paddedEnds,
}: TypeMap): readonly [lb: number, ub: number] {
  if (lowerMarkers.length > 0) return [Math.min(...lowerMarkers), Math.max(...upperMarkers)];
  if (entries.length === 0) return [0, 0];
  const ends = entries.map(({ offsetBytes, lengthBytes }) => offsetBytes + lengthBytes);
  return [Math.min(...entries.map(({ offsetBytes }) => offsetBytes)), Math.max(...ends, ...paddedEnds)];
}

/** The type map of a small datatype, by recursion and enumeration: slow, plain and shared with nothing. */
export function typeMap(type: Datatype): TypeMap {
  if (type.kind === "predefined") {
    const { entries, extentBytes, alignmentBytes } = predefinedFacts(type.name);
    return { entries, lowerMarkers: [], upperMarkers: [], paddedEnds: [extentBytes], alignment: alignmentBytes };
  }
  if (type.kind === "struct") {
    const placed = type.children.flatMap((child, i) => {
      const map = typeMap(child);
      return block(type.displacementsBytes[i] ?? 0, type.blocklengths[i] ?? 0, extent(map)).map((at) => ({ map, at }));
    });
    return withPadding(concatenated(placed));
  }
  const map = typeMap(type.child);
  const e = extent(map);
  const copiesAt = (places: readonly number[]): TypeMap => concatenated(places.map((at) => ({ map, at })));
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
      return {
        ...map,
        lowerMarkers: [type.lowerBoundBytes],
        upperMarkers: [type.lowerBoundBytes + type.extentBytes],
      };
    case "dup":
      return map;
  }
}

export function extent(map: TypeMap): number {
  const [lb, ub] = limits(map);
  return ub - lb;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const block = (start: number, length: number, e: number): readonly number[] => upTo(length).map((j) => start + j * e);

function concatenated(placed: readonly { readonly map: TypeMap; readonly at: number }[]): TypeMap {
  const all = (numbersOf: (map: TypeMap) => readonly number[]): readonly number[] =>
    placed.flatMap(({ map, at }) => numbersOf(map).map((number) => at + number));
  return {
    entries: placed.flatMap(({ map, at }) =>
      map.entries.map((entry) => ({ ...entry, offsetBytes: at + entry.offsetBytes })),
    ),
    lowerMarkers: all((map) => map.lowerMarkers),
    upperMarkers: all((map) => map.upperMarkers),
    paddedEnds: all((map) => map.paddedEnds),
    alignment: Math.max(1, ...placed.map(({ map }) => map.alignment)),
  };
}

/** Up to a multiple of the strictest alignment, unless the user said where it ends. */
function withPadding(map: TypeMap): TypeMap {
  const [lb, ub] = limits(map);
  if (map.upperMarkers.length > 0 || map.entries.length === 0) return map;
  return { ...map, paddedEnds: [lb + Math.ceil((ub - lb) / map.alignment) * map.alignment] };
}

function wholeArray(sizes: readonly number[], e: number): Pick<TypeMap, "lowerMarkers" | "upperMarkers"> {
  return { lowerMarkers: [0], upperMarkers: [sizes.reduce((product, size) => product * size, e)] };
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
