import { indexed, predefined, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";
import { seededDraw } from "../seeded-draw.js";

const LONGEST = 16;
const SEED = 1;

/** Blocks of 1 to 16 doubles, in order, with gaps of 1 to 16 doubles; the last is cut so that `doubles` come out. */
function randomBlocks(doubles: number): Datatype {
  const draw = seededDraw(SEED);
  const blocklengths: number[] = [];
  const displacements: number[] = [];
  let next = 0;
  for (let left = doubles; left > 0; left -= blocklengths.at(-1) as number) {
    const length = Math.min(left, draw(1, LONGEST));
    blocklengths.push(length);
    displacements.push(next);
    next += length + draw(1, LONGEST);
  }
  return indexed(blocklengths, displacements, predefined("MPI_DOUBLE"));
}

export const INDEXED_RANDOM: WorkloadDefinition = {
  name: "indexed-random",
  group: "kernels",
  description: "indexed blocks of random length, 1 to 16 doubles, with random gaps",
  source: "random-length indexed types, as load balancers and adaptive meshes make them",
  defaultScale: 1 << 17,
  sizeBytes: (doubles) => 8 * doubles,
  build: (doubles) => ({ datatype: randomBlocks(doubles), count: 1 }),
};
