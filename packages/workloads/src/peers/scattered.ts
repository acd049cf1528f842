import { indexedBlock, predefined, struct, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";
import { scatteredPoints } from "../ddtbench/specfem3d.js";
import { drawDistinct, seededDraw } from "../seeded-draw.js";
import { ofSteps } from "./of-steps.js";

const SOURCE = "rows of the peers' tables: random index lists";
const scattered = ofSteps(SOURCE);

/** Half of what is held moves. */
const HELD = 2;

/** An atom's place, charge, and the integers tag, type, mask and molecule. */
const ATOM_BYTES = 48;
const PROPERTIES = [
  { name: "MPI_DOUBLE", bytes: 8, width: 3 },
  { name: "MPI_DOUBLE", bytes: 8, width: 1 },
  { name: "MPI_INT", bytes: 4, width: 1 },
  { name: "MPI_INT", bytes: 4, width: 1 },
  { name: "MPI_INT", bytes: 4, width: 1 },
  { name: "MPI_INT", bytes: 4, width: 1 },
] as const;

function atoms(moved: number): Datatype {
  const held = moved * HELD;
  const chosen = drawDistinct(seededDraw(moved), moved, held);
  let nextBytes = 0;
  const displacementsBytes = PROPERTIES.map(({ bytes, width }) => {
    const startBytes = nextBytes;
    nextBytes += Math.ceil((held * bytes * width) / 64) * 64;
    return startBytes;
  });
  const gathered = PROPERTIES.map(({ name, width }) =>
    indexedBlock(width, width === 1 ? chosen : chosen.map((atom) => atom * width), predefined(name)),
  );
  return struct(
    PROPERTIES.map(() => 1),
    displacementsBytes,
    gathered,
  );
}

export const PEER_SCATTERED: readonly WorkloadDefinition[] = [
  scattered("lammps-atoms", "half of the atoms, 6 properties of 48 bytes, by index, as LAMMPS_full", ATOM_BYTES, atoms),
  scattered("specfem-oc", "half of the points, single floats by index, as SPECFEM3D_oc", 4, (moved) =>
    scatteredPoints({ moved, points: moved * HELD }, 1),
  ),
  scattered("specfem-cm", "half of the points, 3 floats by index, as SPECFEM3D_cm", 12, (moved) =>
    scatteredPoints({ moved, points: moved * HELD }, 3),
  ),
];
