import {
  boundsOf,
  contiguous,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  resized,
  struct,
  vector,
  type Datatype,
  type Struct,
} from "@stowage/ir";
import { simplerDarrays, simplerSubarrays } from "./simpler-arrays.js";
import { fewer, kept, oneTowards, towards } from "./towards.js";

/** Each result has the datatype's constructor and child, but fewer blocks, or one argument nearer to 0 or 1. */
export function* simplerArguments(type: Datatype): Generator<Datatype> {
  switch (type.kind) {
    case "predefined":
    case "dup":
      return;
    case "contiguous":
      for (const count of towards(1, type.count)) yield contiguous(count, type.child);
      return;
    case "vector":
      for (const [count, blocklength, stride] of simplerTriples([type.count, type.blocklength, type.stride]))
        yield vector(count, blocklength, stride, type.child);
      return;
    case "hvector":
      for (const [count, blocklength, strideBytes] of simplerTriples([type.count, type.blocklength, type.strideBytes]))
        yield hvector(count, blocklength, strideBytes, type.child);
      return;
    case "indexed":
      for (const [lengths, places] of simplerBlocks(type.blocklengths, type.displacements))
        yield indexed(lengths, places, type.child);
      return;
    case "hindexed":
      for (const [lengths, places] of simplerBlocks(type.blocklengths, type.displacementsBytes))
        yield hindexed(lengths, places, type.child);
      return;
    case "indexed_block":
      for (const [blocklength, places] of simplerEvenBlocks(type.blocklength, type.displacements))
        yield indexedBlock(blocklength, places, type.child);
      return;
    case "hindexed_block":
      for (const [blocklength, places] of simplerEvenBlocks(type.blocklength, type.displacementsBytes))
        yield hindexedBlock(blocklength, places, type.child);
      return;
    case "struct":
      yield* simplerStructs(type);
      return;
    case "subarray":
      yield* simplerSubarrays(type);
      return;
    case "darray":
      yield* simplerDarrays(type);
      return;
    case "resized":
      yield* simplerBounds(type.lowerBoundBytes, type.extentBytes, type.child);
  }
}

type Triple = readonly [count: number, blocklength: number, stride: number];

function* simplerTriples([count, blocklength, stride]: Triple): Generator<Triple> {
  for (const fewerBlocks of towards(1, count)) yield [fewerBlocks, blocklength, stride];
  for (const shorter of towards(1, blocklength)) yield [count, shorter, stride];
  for (const nearer of towards(0, stride)) yield [count, blocklength, nearer];
}

type Blocks = readonly [lengths: readonly number[], places: readonly number[]];

function* simplerBlocks(lengths: ArrayLike<number>, places: ArrayLike<number>): Generator<Blocks> {
  const [ofAll, atAll] = [Array.from(lengths), Array.from(places)];
  for (const some of fewer(ofAll.length)) yield [kept(ofAll, some), kept(atAll, some)];
  for (const shorter of oneTowards(1, ofAll)) yield [shorter, atAll];
  for (const nearer of oneTowards(0, atAll)) yield [ofAll, nearer];
}

type EvenBlocks = readonly [blocklength: number, places: readonly number[]];

function* simplerEvenBlocks(blocklength: number, places: ArrayLike<number>): Generator<EvenBlocks> {
  const atAll = Array.from(places);
  for (const some of fewer(atAll.length)) yield [blocklength, kept(atAll, some)];
  for (const shorter of towards(1, blocklength)) yield [shorter, atAll];
  for (const nearer of oneTowards(0, atAll)) yield [blocklength, nearer];
}

function* simplerStructs({ blocklengths, displacementsBytes, children }: Struct): Generator<Datatype> {
  for (const some of fewer(children.length)) {
    yield struct(kept(blocklengths, some), kept(displacementsBytes, some), kept(children, some));
  }
  for (const [lengths, places] of simplerBlocks(blocklengths, displacementsBytes)) {
    if (lengths.length === children.length) yield struct(lengths, places, children);
  }
}

function* simplerBounds(lowerBoundBytes: number, extentBytes: number, child: Datatype): Generator<Datatype> {
  for (const lower of towards(0, lowerBoundBytes)) yield resized(lower, extentBytes, child);
  for (const extent of towards(boundsOf(child).extentBytes, extentBytes)) yield resized(lowerBoundBytes, extent, child);
}
