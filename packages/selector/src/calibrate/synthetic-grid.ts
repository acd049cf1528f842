import {
  boundsOf,
  contiguous,
  hindexed,
  hindexedBlock,
  hvector,
  predefined,
  resized,
  struct,
  type Datatype,
} from "@stowage/ir";
import { seededRandom, type Random } from "./seeded-random.js";

/** One datatype to measure: made of lengths, strides, dimensions and lists that no program's datatype has decided. */
export interface GridPoint {
  /** The family of datatypes and the number of the point in the grid, such as "vector-17". */
  readonly name: string;
  readonly datatype: Datatype;
  /** Elements that a call moves. */
  readonly count: number;
}

const BYTE = predefined("MPI_BYTE");
const SEED = 0x51077a6e;
const KIB = 1024;

const SIZES = [1, 4, 16, 64, 256, 1024, 4096, 16384].map((kib) => kib * KIB);
const LENGTHS = [2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 72, 96, 128, 192, 256, 320, 512, 768, 1024, 2048, 4096];
/** Lengths of a struct's members, single characters among them. */
const ODD_LENGTHS = [1, 3, 7, 17, 33, 61];
/** From block to block, in lengths of a block; the last two are those of a matrix's column. */
const SPREADS = [1.5, 2, 3, 4, 8, 16];
const COLUMNS = [1032, 4096, 8256];
const INNER = [2, 3, 4, 8, 12, 16, 32, 64, 128];
/** Those that may have as many blocks as bytes: more take longer, and tell no more. */
const MANY_BLOCKS: ReadonlySet<string> = new Set(["list", "shuffled", "ragged", "lists", "odd", "near"]);
const MOST_OF_MANY_BYTES = 1024 * KIB;
/** Elements lie within so many bytes: more is memory of the same kind. */
const MOST_REACH_BYTES = 96 * 1024 * KIB;

type Family = (random: Random, packedBytes: number) => Omit<GridPoint, "name">;

const FAMILIES: Readonly<Record<string, Family>> = {
  run: (_, packedBytes) => ({ datatype: contiguous(packedBytes, BYTE), count: 1 }),
  vector(random, packedBytes) {
    const length = random.pick(LENGTHS);
    return vectorOf(length, strideOf(random, length), packedBytes);
  },
  near(random, packedBytes) {
    const length = random.pick(LENGTHS.slice(0, 8));
    return vectorOf(length, length + alignedTo(random.pick([4, 8, 12, 16, 24]), length), packedBytes);
  },
  column(random, packedBytes) {
    const length = random.pick(LENGTHS.slice(1, 15));
    return vectorOf(length, random.pick(COLUMNS), packedBytes);
  },
  box(random, packedBytes) {
    const length = random.pick(LENGTHS);
    const inner = random.pick(INNER);
    const stride = strideOf(random, length);
    const row = hvector(inner, length, stride, BYTE);
    return repeated(row, inner * stride * random.pick([1.5, 2, 4]), length * inner, packedBytes);
  },
  cube(random, packedBytes) {
    const length = random.pick(LENGTHS);
    const [inner, middle] = [random.pick(INNER), random.pick(INNER)];
    const stride = strideOf(random, length);
    const planeBytes = inner * stride * 2;
    const plane = hvector(middle, 1, planeBytes, resized(0, planeBytes, hvector(inner, length, stride, BYTE)));
    return repeated(plane, planeBytes * middle * 2, length * inner * middle, packedBytes);
  },
  elements(random, packedBytes) {
    const length = random.pick([...ODD_LENGTHS, ...LENGTHS]);
    const extent = alignedTo(length, length) + (length & -length) * random.up(8);
    return { datatype: resized(0, extent, contiguous(length, BYTE)), count: countOf(packedBytes, length) };
  },
  patterns(random, packedBytes) {
    const length = random.pick(LENGTHS);
    const [blocks, stride] = [8 * random.up(32), strideOf(random, length)];
    const pattern = hvector(blocks, length, stride, BYTE);
    return { datatype: pattern, count: countOf(packedBytes, blocks * length) };
  },
  transpose(random, packedBytes) {
    const length = random.pick([4, 8, 16]);
    const edge = Math.max(2, Math.floor(Math.sqrt(packedBytes / length)));
    const rowBytes = edge * length + random.pick([0, 64]);
    return { datatype: hvector(edge, 1, length, hvector(edge, length, rowBytes, BYTE)), count: 1 };
  },
  list(random, packedBytes) {
    const length = random.pick(LENGTHS.slice(1, 17));
    const places = placesOf(random, packedBytes / length, () => length);
    return { datatype: hindexedBlock(length, places, BYTE), count: 1 };
  },
  shuffled(random, packedBytes) {
    const length = random.pick(LENGTHS.slice(1, 13));
    const places = random.shuffled(placesOf(random, packedBytes / length, () => length));
    return { datatype: hindexedBlock(length, places, BYTE), count: 1 };
  },
  ragged(random, packedBytes) {
    const unit = random.pick([1, 4, 8]);
    const most = random.pick([4, 16, 40]);
    const lengths = Array.from({ length: Math.ceil((2 * packedBytes) / (unit * most)) }, () => unit * random.up(most));
    const places = placesOf(random, lengths.length, (i) => lengths[i] as number);
    return { datatype: hindexed(lengths, places, BYTE), count: 1 };
  },
  pieces(random, packedBytes) {
    const count = 1 + random.up(11);
    const lengths = Array.from({ length: count }, () => 4 * Math.ceil((packedBytes * random.up(7)) / (16 * count)));
    return {
      datatype: hindexed(
        lengths,
        placesOf(random, count, (i) => lengths[i] as number),
        BYTE,
      ),
      count: 1,
    };
  },
  odd(random, packedBytes) {
    const length = random.pick(ODD_LENGTHS);
    return vectorOf(length, length + random.up(3 * length), packedBytes);
  },
  arrays(random, packedBytes) {
    const count = 1 + random.up(4);
    return { datatype: oneAfterAnother(random, count, () => boxOf(random, packedBytes / count)), count: 1 };
  },
  lists(random, packedBytes) {
    const count = 1 + random.up(5);
    const list = (): Datatype => {
      const length = random.pick(LENGTHS.slice(1, 12));
      return hindexedBlock(
        length,
        placesOf(random, packedBytes / count / length, () => length),
        BYTE,
      );
    };
    return { datatype: oneAfterAnother(random, count, list), count: 1 };
  },
  struct(random, packedBytes) {
    const lengths = Array.from({ length: 1 + random.up(4) }, () => random.pick([4, 8, 12, 24, 72]));
    const places = placesOf(random, lengths.length, (i) => lengths[i] as number);
    const size = lengths.reduce((sum, length) => sum + length, 0);
    const extent = (places.at(-1) ?? 0) + (lengths.at(-1) ?? 0) + 8 * random.up(3);
    const members = resized(
      0,
      extent,
      struct(
        lengths,
        places,
        lengths.map(() => BYTE),
      ),
    );
    return { datatype: members, count: Math.max(1, Math.round(packedBytes / size)) };
  },
};

const countOf = (packedBytes: number, size: number): number => Math.max(1, Math.round(packedBytes / size));

/** Rows of blocks, in one or two dimensions. */
function boxOf(random: Random, packedBytes: number): Datatype {
  const length = random.pick(LENGTHS.slice(1, 17));
  const stride = strideOf(random, length);
  if (random.up(2) === 1) return hvector(Math.max(2, Math.round(packedBytes / length)), length, stride, BYTE);
  const inner = random.pick(INNER);
  return repeated(hvector(inner, length, stride, BYTE), inner * stride * 1.5, length * inner, packedBytes).datatype;
}

/** A struct of arrays, each behind the one before. */
function oneAfterAnother(random: Random, count: number, make: () => Datatype): Datatype {
  const members = Array.from({ length: count }, make);
  let at = 0;
  const places = members.map((member) => {
    const place = at;
    at += Math.ceil((boundsOf(member).extentBytes * (8 + random.up(4))) / 64) * 8;
    return place;
  });
  return struct(
    members.map(() => 1),
    places,
    members,
  );
}

const strideOf = (random: Random, length: number): number =>
  alignedTo(Math.round(length * random.pick(SPREADS)), length);

/** Rounded up, so that blocks stay as aligned as they are long. */
function alignedTo(bytes: number, length: number): number {
  const unit = Math.min(8, length & -length);
  return Math.ceil(bytes / unit) * unit;
}

const vectorOf = (length: number, stride: number, packedBytes: number): Omit<GridPoint, "name"> => ({
  datatype: hvector(Math.max(2, Math.round(packedBytes / length)), length, stride, BYTE),
  count: 1,
});

const repeated = (child: Datatype, extent: number, size: number, packedBytes: number): Omit<GridPoint, "name"> => {
  const extentBytes = Math.ceil(extent / 8) * 8;
  return {
    datatype: hvector(Math.max(2, Math.round(packedBytes / size)), 1, extentBytes, resized(0, extentBytes, child)),
    count: 1,
  };
};

/** Places of blocks one after another, with gaps between them. */
function placesOf(random: Random, count: number, lengthOf: (i: number) => number): number[] {
  const spread = random.pick([1, 2, 6]);
  let at = 0;
  return Array.from({ length: Math.max(1, Math.round(count)) }, (_, i) => {
    const place = at;
    at += alignedTo(lengthOf(i) + lengthOf(i) * random.up(spread), lengthOf(i));
    return place;
  });
}

/**
 * The points to measure, so many, the same on every machine; each prefix has all families and sizes (1 KiB to 16 MiB
 * packed) in like shares. `reachOf` gives the bytes of memory that an element reaches over: points of more than 96 MiB
 * are left out.
 */
export function syntheticGrid(points: number, reachOf: (datatype: Datatype) => number): readonly GridPoint[] {
  const random = seededRandom(SEED);
  const families = Object.entries(FAMILIES);
  const grid: GridPoint[] = [];
  for (let i = 0; grid.length < points; i++) {
    const [family, make] = families[i % families.length] as [string, Family];
    const packedBytes = SIZES[Math.floor(i / families.length + i) % SIZES.length] as number;
    const point = make(random, MANY_BLOCKS.has(family) ? Math.min(packedBytes, MOST_OF_MANY_BYTES) : packedBytes);
    if (reachOf(point.datatype) * point.count > MOST_REACH_BYTES) continue;
    grid.push({ name: `${family}-${i}`, ...point });
  }
  return grid;
}
