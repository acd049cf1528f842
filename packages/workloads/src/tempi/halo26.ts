import { predefined, struct, subarray, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";

/** Grid points of a rank along one side, as published; each is one float. */
const GRID_EDGE = 512;
const RADIUS = 2;
const FLOAT_BYTES = 4;
const SOURCE = "Pearson et al., TEMPI 2021, section 6.4";

type Side = -1 | 0 | 1;
type Direction = readonly [dx: Side, dy: Side, dz: Side];

const SIDES: readonly Side[] = [-1, 0, 1];

/** All neighbours, dx varying fastest. */
const DIRECTIONS: readonly Direction[] = SIDES.flatMap((dz) =>
  SIDES.flatMap((dy) => SIDES.map((dx): Direction => [dx, dy, dz])),
).filter((direction) => direction.some((side) => side !== 0));

/** Interior points that go to one neighbour, on one axis: the outermost `RADIUS` on its side, or all. */
function span(edge: number, side: Side): readonly [start: number, points: number] {
  if (side === 0) return [RADIUS, edge];
  return [side < 0 ? RADIUS : edge, RADIUS];
}

function region(edge: number, [dx, dy, dz]: Direction): Datatype {
  const spans = [dz, dy, dx].map((side) => span(edge, side));
  return subarray({
    sizes: spans.map(() => edge + 2 * RADIUS),
    subsizes: spans.map(([, points]) => points),
    starts: spans.map(([start]) => start),
    order: "C",
    child: predefined("MPI_FLOAT"),
  });
}

const regionBytes = (edge: number, direction: Direction): number =>
  direction.reduce<number>((bytes, side) => bytes * span(edge, side)[1], FLOAT_BYTES);

const SHAPES = ["", "face", "edge", "corner"];

function halo(direction: Direction): WorkloadDefinition {
  const sidesMoved = direction.filter((side) => side !== 0).length;
  const labels = {
    name: `halo26/${direction.join(",")}`,
    group: "tempi",
    description: `${SHAPES[sidesMoved]} of the 3D stencil's halo, radius 2, towards (${direction.join(", ")})`,
    source: SOURCE,
  } as const;
  // A corner holds RADIUS^3 points whatever the grid, so that only more grids make it larger.
  if (sidesMoved === 3) {
    return {
      ...labels,
      defaultScale: 1,
      sizeBytes: (grids) => grids * regionBytes(GRID_EDGE, direction),
      build: (grids) => ({ datatype: region(GRID_EDGE, direction), count: grids }),
    };
  }
  return {
    ...labels,
    defaultScale: GRID_EDGE,
    sizeBytes: (edge) => regionBytes(edge, direction),
    build: (edge) => ({ datatype: region(edge, direction), count: 1 }),
  };
}

/** All regions at once, in the order in which the directions are listed. */
const ALL: WorkloadDefinition = {
  name: "halo26/all",
  group: "tempi",
  description: "all 26 regions of the 3D stencil's halo, radius 2, as one struct",
  source: SOURCE,
  defaultScale: GRID_EDGE,
  sizeBytes: (edge) => DIRECTIONS.reduce((sum, direction) => sum + regionBytes(edge, direction), 0),
  build: (edge) => {
    const regions = DIRECTIONS.map((direction) => region(edge, direction));
    const ones = regions.map(() => 1);
    return {
      datatype: struct(
        ones,
        ones.map(() => 0),
        regions,
      ),
      count: 1,
    };
  },
};

export const HALO26: readonly WorkloadDefinition[] = [...DIRECTIONS.map(halo), ALL];
