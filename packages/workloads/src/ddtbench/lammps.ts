import { contiguous, indexedBlock, predefined, type Datatype } from "@stowage/ir";
import { drawDistinct, seededDraw } from "../seeded-draw.js";
import { application, type Size } from "./application.js";
import { structOverBuffers, type Field } from "./buffers.js";

/** Atoms that leave a process, of those it holds, and the order in which the arrays lay in memory. */
interface Exchange {
  readonly held: number;
  readonly moved: number;
  readonly memoryOrder: readonly number[];
}

/** Doubles an atom in each array: a full atom has its place, tag, type, mask, charge and molecule. */
const FULL = [3, 1, 1, 1, 1, 1];
const ATOMIC = [3, 1, 1, 1];

const FULL_EXCHANGES: readonly Exchange[] = [
  { held: 3533, moved: 3062, memoryOrder: [3, 5, 4, 0, 2, 1] },
  { held: 2596, moved: 2243, memoryOrder: [2, 3, 0, 5, 4, 1] },
  { held: 1907, moved: 1662, memoryOrder: [0, 5, 1, 3, 4, 2] },
];

const ATOMIC_EXCHANGES: readonly Exchange[] = [
  { held: 4073, moved: 243, memoryOrder: [0, 3, 2, 1] },
  { held: 2153, moved: 145, memoryOrder: [1, 2, 3, 0] },
  { held: 1182, moved: 114, memoryOrder: [0, 2, 3, 1] },
];

const double = predefined("MPI_DOUBLE");

/** Gathers the leaving atoms from each array by one index list; the arrays of the places hold three doubles an atom. */
function gathered(widths: readonly number[], { held, moved, memoryOrder }: Exchange): Datatype {
  const atoms = drawDistinct(seededDraw(held), moved, held);
  const fields = widths.map((width): Field => {
    const displacements = atoms.map((atom) => atom * width);
    return { allocatedBytes: held * width * 8, datatype: indexedBlock(width, displacements, double) };
  });
  return structOverBuffers(fields, memoryOrder);
}

/** The arriving atoms lie side by side in each array. */
function appended(widths: readonly number[], { moved, memoryOrder }: Exchange): Datatype {
  const fields = widths.map((width): Field => {
    const doubles = moved * width;
    return { allocatedBytes: doubles * 8, datatype: contiguous(doubles, double) };
  });
  return structOverBuffers(fields, memoryOrder);
}

function sizes(widths: readonly number[], exchanges: readonly Exchange[]): Size[] {
  const doublesAnAtom = widths.reduce((sum, width) => sum + width, 0);
  return exchanges.flatMap((exchange) => {
    const sizeBytes = exchange.moved * doublesAnAtom * 8;
    return [
      { sizeBytes, datatype: () => gathered(widths, exchange) },
      { sizeBytes, datatype: () => appended(widths, exchange) },
    ];
  });
}

export const LAMMPS = [
  ...application(
    "LAMMPS_full",
    "atoms with 6 properties, gathered by index, then appended",
    sizes(FULL, FULL_EXCHANGES),
  ),
  ...application(
    "LAMMPS_atomic",
    "atoms with 4 properties, gathered by index, then appended",
    sizes(ATOMIC, ATOMIC_EXCHANGES),
  ),
];
