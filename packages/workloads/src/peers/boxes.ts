import { predefined, struct, subarray, type Datatype, type PredefinedName } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";
import { boxEdges } from "../kernels/powers-of-two.js";

const SOURCE = "rows of the peers' tables: boxes in arrays";
const DIMENSIONS = 4;

/** A 4D box of 2^scale elements, half as long as the array around it along every axis. */
function box4d(name: string, type: PredefinedName, elementBytes: number, defaultScale: number): WorkloadDefinition {
  return {
    name,
    group: "peers",
    description: `4D box of ${type}, half of the array along every axis`,
    source: SOURCE,
    defaultScale,
    sizeBytes: (scale) => elementBytes * 2 ** scale,
    build: (scale) => {
      const subsizes = boxEdges(scale, DIMENSIONS);
      const sizes = subsizes.map((edge) => 2 * edge);
      const starts = subsizes.map((edge) => Math.floor(edge / 2));
      return { datatype: subarray({ sizes, subsizes, starts, order: "C", child: predefined(type) }), count: 1 };
    },
  };
}

/** Points along i, k and j of each of four fields: an interior of 128 x 40 x 128 and a halo three wide. */
const [POINTS_I, POINTS_K, POINTS_J] = [134, 40, 134];
const HALO = 3;
const FIELDS = 4;

/** One struct over four fields in one allocation, the box of [j, k, i] points from `starts` of each. */
function fourFields(subsizes: readonly number[], starts: readonly number[]): Datatype {
  const sizes = [POINTS_J, POINTS_K, POINTS_I];
  const field = subarray({ sizes, subsizes, starts, order: "C", child: predefined("MPI_FLOAT") });
  const fieldBytes = POINTS_I * POINTS_K * POINTS_J * 4;
  const members = Array.from({ length: FIELDS }, (_, i) => i);
  return struct(
    members.map(() => 1),
    members.map((i) => i * fieldBytes),
    members.map(() => field),
  );
}

function fieldHalo(direction: "x" | "y", subsizes: readonly number[], starts: readonly number[]): WorkloadDefinition {
  const points = subsizes.reduce((product, edge) => product * edge, 1);
  return repeated(
    {
      name: `fields-halo-${direction}`,
      group: "peers",
      description: `halo in ${direction}, 3 points wide, of 4 fields of 134 x 40 x 134 floats`,
      source: SOURCE,
    },
    points * FIELDS * 4,
    () => fourFields(subsizes, starts),
  );
}

export const PEER_BOXES: readonly WorkloadDefinition[] = [
  box4d("box4d-bytes", "MPI_BYTE", 1, 20),
  box4d("box4d-doubles", "MPI_DOUBLE", 8, 17),
  fieldHalo("x", [POINTS_J - 2 * HALO, POINTS_K, HALO], [HALO, 0, HALO]),
  fieldHalo("y", [HALO, POINTS_K, POINTS_I], [HALO, 0, 0]),
];
