import { predefined, struct, type Datatype, type PredefinedName } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";
import { seededDraw } from "../seeded-draw.js";

/** Milliseconds that each rank's block took on the reference CPU (Table 4): blocks differ in size as these do. */
const RANK_MS = [0.96, 0.4, 1.68, 1.53, 0.92, 0.26, 0.83, 0.55];
const PARTICLES = 32_768;

/** Means of a Poisson-Voronoi tessellation: faces of a cell, vertices of a cell, vertices of a face. */
const FACES_A_CELL = 15.54;
const VERTICES_A_CELL = 27.07;
const VERTICES_A_FACE = 5.23;
/** Four cells meet in a vertex. */
const CELLS_A_VERTEX = 4;

/** Seven counts, then the least and the greatest corner: the scalars at the head of the block. */
const HEADER: readonly Run[] = [
  { type: "MPI_INT", elementBytes: 4, length: 7 },
  { type: "MPI_FLOAT", elementBytes: 4, length: 6 },
];
const HEADER_BYTES = 112;

interface Run {
  readonly type: PredefinedName;
  readonly elementBytes: number;
  readonly length: number;
}

/** The arrays behind the block's pointers, for so many particles; each count strays by up to 2 % from the mean. */
function arraysOf(particles: number, rank: number): readonly Run[] {
  const draw = seededDraw(rank + 1);
  const near = (mean: number): number => Math.round((mean * draw(980, 1020)) / 1000);
  const cells = particles;
  const vertices = near((cells * VERTICES_A_CELL) / CELLS_A_VERTEX);
  const faces = near(cells * FACES_A_CELL);
  const floats = (length: number): Run => ({ type: "MPI_FLOAT", elementBytes: 4, length });
  const ints = (length: number): Run => ({ type: "MPI_INT", elementBytes: 4, length });
  return [
    floats(3 * vertices),
    floats(3 * particles),
    floats(cells),
    floats(cells),
    ints(near(cells * VERTICES_A_CELL)),
    ints(near(faces * VERTICES_A_FACE)),
    ints(cells),
    ints(faces),
  ];
}

/** Where each run lies: the header at 0, the arrays wherever an allocator put them, 64-byte aligned. */
function places(arrays: readonly Run[], rank: number): readonly number[] {
  const draw = seededDraw(100 + rank);
  let nextBytes = HEADER_BYTES;
  return arrays.map(({ length, elementBytes }) => {
    const startBytes = Math.ceil(nextBytes / 64) * 64 + 64 * draw(0, 255);
    nextBytes = startBytes + length * elementBytes;
    return startBytes;
  });
}

function voronoiBlock(arrays: readonly Run[], rank: number): Datatype {
  const runs = [...HEADER, ...arrays];
  return struct(
    runs.map(({ length }) => length),
    [0, 28, ...places(arrays, rank)],
    runs.map(({ type }) => predefined(type)),
  );
}

const packedBytes = (runs: readonly Run[]): number =>
  runs.reduce((sum, { length, elementBytes }) => sum + length * elementBytes, 0);

/** HACC's vblock_t (Figure 7) on each of eight ranks. */
export const VORONOI_BLOCKS: readonly WorkloadDefinition[] = RANK_MS.map((ms, rank) => {
  const share = ms / RANK_MS.reduce((sum, each) => sum + each, 0);
  const arrays = arraysOf(Math.round(PARTICLES * share), rank);
  return repeated(
    {
      name: `vblock/${rank}`,
      group: "hacc",
      description: `Voronoi mesh of ${Math.round(PARTICLES * share)} particles: a header and 8 arrays behind pointers`,
      source: "HACC in Jenkins et al., TPDS 2014, Figure 7 and Table 4",
    },
    packedBytes([...HEADER, ...arrays]),
    () => voronoiBlock(arrays, rank),
  );
});
