import type { Darray, Datatype, Distribution, Subarray } from "@stowage/ir";

/** A child and where it is put, from the address 0 of the datatype around it. */
export interface Copy {
  readonly child: Datatype;
  readonly displacementBytes: number;
}

/** Every datatype but the predefined ones: those made of others. */
export type Derived = Exclude<Datatype, { readonly kind: "predefined" }>;

/**
 * The copies of its children that a datatype is made of, in type-map order, one by one, as MPI 4.1, section 5.1,
 * defines each constructor. `extentOf` gives a child's extent in bytes.
 */
export function* copiesOf(type: Derived, extentOf: (child: Datatype) => number): Generator<Copy> {
  switch (type.kind) {
    case "contiguous":
      yield* block(type.child, type.count, 0, extentOf);
      return;
    case "vector":
      for (let i = 0; i < type.count; i++) {
        yield* block(type.child, type.blocklength, i * type.stride * extentOf(type.child), extentOf);
      }
      return;
    case "hvector":
      for (let i = 0; i < type.count; i++) yield* block(type.child, type.blocklength, i * type.strideBytes, extentOf);
      return;
    case "indexed":
      for (const [i, displacement] of type.displacements.entries()) {
        yield* block(type.child, type.blocklengths[i] as number, displacement * extentOf(type.child), extentOf);
      }
      return;
    case "hindexed":
      for (const [i, displacementBytes] of type.displacementsBytes.entries()) {
        yield* block(type.child, type.blocklengths[i] as number, displacementBytes, extentOf);
      }
      return;
    case "indexed_block":
      for (const displacement of type.displacements) {
        yield* block(type.child, type.blocklength, displacement * extentOf(type.child), extentOf);
      }
      return;
    case "hindexed_block":
      for (const displacementBytes of type.displacementsBytes) {
        yield* block(type.child, type.blocklength, displacementBytes, extentOf);
      }
      return;
    case "struct":
      for (const [i, child] of type.children.entries()) {
        yield* block(child, type.blocklengths[i] as number, type.displacementsBytes[i] as number, extentOf);
      }
      return;
    case "subarray":
      yield* elements(type, type.sizes, boxOf(type), extentOf);
      return;
    case "darray":
      yield* elements(type, type.gsizes, shareOf(type), extentOf);
      return;
    case "resized":
    case "dup":
      yield { child: type.child, displacementBytes: 0 };
  }
}

/** A block: so many copies of a child, one extent apart. */
function* block(
  child: Datatype,
  length: number,
  startBytes: number,
  extentOf: (child: Datatype) => number,
): Generator<Copy> {
  for (let i = 0; i < length; i++) yield { child, displacementBytes: startBytes + i * extentOf(child) };
}

/** Along each dimension of the array, the indices that the subarray holds. */
function boxOf({ subsizes, starts }: Subarray): number[][] {
  return subsizes.map((subsize, d) => Array.from({ length: subsize }, (_, i) => (starts[d] as number) + i));
}

/**
 * Along each dimension, the indices that the process holds: dealt out in blocks of k, one a process, round and round;
 * block is one round of them and none has one process (MPI 4.1, section 5.1.4).
 */
function shareOf(type: Darray): number[][] {
  let processesLeft = type.size;
  let rank = type.rank;
  return type.gsizes.map((gsize, d) => {
    const processes = type.psizes[d] as number;
    processesLeft /= processes;
    const coordinate = Math.floor(rank / processesLeft);
    rank %= processesLeft;
    const dealt = blockLength(type, d);
    return Array.from({ length: gsize }, (_, i) => i).filter((i) => Math.floor(i / dealt) % processes === coordinate);
  });
}

function blockLength({ gsizes, psizes, distribs, dargs }: Darray, d: number): number {
  const gsize = gsizes[d] as number;
  switch (distribs[d] as Distribution) {
    case "block":
      return dargs[d] ?? Math.ceil(gsize / (psizes[d] as number));
    case "cyclic":
      return dargs[d] ?? 1;
    case "none":
      return gsize;
  }
}

/** The elements of an array at all combinations of indices, in the array's own order. */
function* elements(
  type: Subarray | Darray,
  sizes: readonly number[],
  indices: readonly (readonly number[])[],
  extentOf: (child: Datatype) => number,
): Generator<Copy> {
  const slowestFirst = sizes.map((_, d) => (type.order === "C" ? d : sizes.length - 1 - d));
  let positions = [0];
  for (const d of slowestFirst) {
    const along = indices[d] as readonly number[];
    positions = positions.flatMap((position) => along.map((index) => position * (sizes[d] as number) + index));
  }
  for (const position of positions) {
    yield { child: type.child, displacementBytes: position * extentOf(type.child) };
  }
}
