import { contiguous, hindexed, hindexedBlock, hvector, predefined, resized, struct, type Datatype } from "@stowage/ir";
import { seededRandom, type Random } from "./seeded-random.js";

/** One datatype to measure: made of lengths, strides, dimensions and lists that no program's datatype has decided. */
export interface GridPoint {
  readonly name: string;
  readonly datatype: Datatype;
  readonly count: number;
}

const BYTE = predefined("MPI_BYTE");
const SEED = 0x51077a6e;
const KIB = 1024;

const SIZES = [1, 4, 16, 64, 256, 1024, 4096, 16384].map((kib) => kib * KIB);
const LENGTHS = [2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 72, 96, 128, 192, 256, 320, 512, 768, 1024, 2048, 4096];
/** From block to block, in lengths of a block; the last two are those of a matrix's column. */
const SPREADS = [1.5, 2, 3, 4, 8, 16];
const COLUMNS = [1032, 4096, 8256];
const INNER = [2, 3, 4, 8, 12, 16, 32, 64, 128];
/** Elements lie within so many bytes: more is memory of the same kind. */
const MOST_REACH_BYTES = 96 * 1024 * KIB;

type Family = (random: Random, packedBytes: number) => Omit<GridPoint, "name"> | undefined;

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

/** The points to measure, the same on every machine; each prefix has all families and sizes in like shares. */
export function syntheticGrid(points: number, reachOf: (datatype: Datatype) => number): readonly GridPoint[] {
  const random = seededRandom(SEED);
  const families = Object.entries(FAMILIES);
  const grid: GridPoint[] = [];
  for (let i = 0; grid.length < points; i++) {
    const [family, make] = families[i % families.length] as [string, Family];
    const packedBytes = SIZES[Math.floor(i / families.length + i) % SIZES.length] as number;
    const point = make(random, packedBytes);
    if (point === undefined || reachOf(point.datatype) * point.count > MOST_REACH_BYTES) continue;
    grid.push({ name: `${family}-${i}`, ...point });
  }
  return grid;
}
