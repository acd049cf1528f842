import { hvector, predefined, subarray, vector, type Datatype } from "@stowage/ir";
import { application } from "./application.js";
import { structOverBuffers, type Field } from "./buffers.js";

/** Points along an axis of a process's grid, and which of them move. */
interface Axis {
  readonly points: number;
  readonly start: number;
  readonly moved: number;
}

/** One halo exchange of the weather model, and the order in which its nine fields lay in memory. */
interface Exchange {
  readonly west: Axis;
  readonly south: Axis;
  readonly vectorOrder: readonly number[];
  readonly subarrayOrder: readonly number[];
}

/** Vertical levels; a halo always moves all of them. */
const LEVELS = 65;
const FLOAT_BYTES = 4;
const float = predefined("MPI_FLOAT");

/**
 * Four fields of the surface, three of the volume, and two that hold volumes of several species, one of which moves.
 */
const SURFACES = 4;
const VOLUMES = 3;
const SPECIES_FIELDS = 2;
const SPECIES = 2;

const axis = (points: number, start: number, moved: number): Axis => ({ points, start, moved });
const IN_ORDER = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const Y_EXCHANGES: readonly Exchange[] = [
  exchange(axis(32, 5, 23), axis(52, 7, 3), [0, 1, 2, 3, 8, 7, 6, 5, 4], IN_ORDER),
  exchange(axis(27, 4, 19), axis(41, 7, 3), IN_ORDER, [0, 1, 2, 3, 7, 8, 4, 5, 6]),
  exchange(axis(24, 4, 16), axis(34, 7, 3), [0, 1, 2, 3, 7, 8, 4, 5, 6], [0, 1, 2, 3, 7, 8, 4, 5, 6]),
  exchange(axis(22, 4, 14), axis(30, 7, 3), [0, 1, 2, 3, 8, 4, 5, 6, 7], [0, 1, 2, 3, 8, 4, 5, 6, 7]),
];

const X_EXCHANGES: readonly Exchange[] = [
  exchange(axis(19, 4, 11), axis(24, 7, 3), IN_ORDER, [1, 2, 3, 4, 5, 6, 7, 8, 0]),
  exchange(axis(32, 22, 3), axis(52, 4, 44), [6, 7, 4, 5, 0, 1, 2, 3, 8], [6, 7, 4, 5, 2, 3, 0, 1, 8]),
  exchange(axis(24, 14, 3), axis(34, 4, 26), [7, 8, 4, 5, 6, 2, 3, 0, 1], [7, 8, 4, 5, 6, 1, 2, 0, 3]),
  exchange(axis(19, 9, 3), axis(24, 4, 16), [8, 5, 6, 7, 4, 2, 3, 1, 0], [8, 5, 6, 7, 4, 2, 3, 0, 1]),
];

function exchange(west: Axis, south: Axis, vectorOrder: readonly number[], subarrayOrder: readonly number[]): Exchange {
  return { west, south, vectorOrder, subarrayOrder };
}

/** Packed bytes: every field moves its surface, and all but the first four every level of it. */
function sizeBytes({ west, south }: Exchange): number {
  return west.moved * south.moved * FLOAT_BYTES * (SURFACES + (VOLUMES + SPECIES_FIELDS) * LEVELS);
}

/** Bytes from the first to the last moved byte, for axes listed from the innermost: that much is allocated. */
function reachBytes(...axes: readonly Axis[]): number {
  let strideBytes = FLOAT_BYTES;
  let lastBytes = 0;
  for (const { points, moved } of axes) {
    lastBytes += (moved - 1) * strideBytes;
    strideBytes *= points;
  }
  return lastBytes + FLOAT_BYTES;
}

/** As vectors of vectors, each field's address 0 at its first moved value. */
function vectors({ west, south, vectorOrder }: Exchange): Datatype {
  const levels = axis(LEVELS, 0, LEVELS);
  const planeBytes = west.points * LEVELS * FLOAT_BYTES;
  const flat = vector(south.moved, west.moved, west.points, float);
  const volume = hvector(south.moved, 1, planeBytes, vector(LEVELS, west.moved, west.points, float));
  const ofSpecies = hvector(1, 1, planeBytes * south.points, volume);
  const surface: Field = { allocatedBytes: reachBytes(west, south), datatype: flat };
  const solid = (datatype: Datatype): Field => ({ allocatedBytes: reachBytes(west, levels, south), datatype });
  return structOverBuffers(nineFields(surface, solid(volume), solid(ofSpecies)), vectorOrder);
}

/** As subarrays of the whole fields, outermost axis first. */
function subarrays({ west, south, subarrayOrder }: Exchange): Datatype {
  const levels = axis(LEVELS, 0, LEVELS);
  const fields = nineFields(
    wholeField(south, west),
    wholeField(south, levels, west),
    wholeField(axis(SPECIES, 1, 1), south, levels, west),
  );
  return structOverBuffers(fields, subarrayOrder);
}

function wholeField(...axes: readonly Axis[]): Field {
  const sizes = axes.map((of) => of.points);
  const subsizes = axes.map((of) => of.moved);
  const starts = axes.map((of) => of.start);
  return {
    allocatedBytes: sizes.reduce((product, points) => product * points, FLOAT_BYTES),
    datatype: subarray({ sizes, subsizes, starts, order: "C", child: float }),
  };
}

function nineFields(surface: Field, volume: Field, species: Field): Field[] {
  return [
    ...new Array<Field>(SURFACES).fill(surface),
    ...new Array<Field>(VOLUMES).fill(volume),
    ...new Array<Field>(SPECIES_FIELDS).fill(species),
  ];
}

function exchanges(direction: "x" | "y", list: readonly Exchange[]) {
  const halo = `halo in ${direction} of 4 surface, 3 volume and 2 species fields`;
  return [
    ...application(
      `WRF_${direction}_vec`,
      `${halo}, as vectors`,
      list.map((of) => ({ sizeBytes: sizeBytes(of), datatype: () => vectors(of) })),
    ),
    ...application(
      `WRF_${direction}_sa`,
      `${halo}, as subarrays`,
      list.map((of) => ({ sizeBytes: sizeBytes(of), datatype: () => subarrays(of) })),
    ),
  ];
}

export const WRF = [...exchanges("y", Y_EXCHANGES), ...exchanges("x", X_EXCHANGES)];
