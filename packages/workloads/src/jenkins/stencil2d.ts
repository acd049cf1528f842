import { predefined, subarray, type PredefinedName } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";

/** Points of a process along one side; a halo one point wide surrounds them. */
const EDGES = [128, 256, 512, 1024, 2048];

const PRECISIONS: readonly { readonly label: string; readonly type: PredefinedName; readonly bytes: number }[] = [
  { label: "double", type: "MPI_DOUBLE", bytes: 8 },
  { label: "float", type: "MPI_FLOAT", bytes: 4 },
];

/** First row and column, of the (edge + 2)^2 points with halo, that goes to each neighbour; a nine-point stencil. */
const NEIGHBOURS: readonly { readonly to: string; readonly start: (edge: number) => readonly [number, number] }[] = [
  { to: "north", start: () => [1, 0] },
  { to: "south", start: (edge) => [edge, 0] },
  { to: "west", start: () => [0, 1] },
  { to: "east", start: (edge) => [0, edge] },
];

export const STENCIL2D: readonly WorkloadDefinition[] = EDGES.flatMap((edge) =>
  PRECISIONS.flatMap(({ label, type, bytes }) =>
    NEIGHBOURS.map(({ to, start }) => {
      const isRow = to === "north" || to === "south";
      const side = edge + 2;
      return repeated(
        {
          name: `stencil2d-${edge}-${label}-${to}`,
          group: "shoc",
          description: `halo to the ${to} of ${edge}^2 ${label}s: ${isRow ? "one row" : "one column"}`,
          source: "SHOC's 2D stencil in Jenkins et al., TPDS 2014, Table 3",
        },
        side * bytes,
        () =>
          subarray({
            sizes: [side, side],
            subsizes: isRow ? [1, side] : [side, 1],
            starts: [...start(edge)],
            order: "C",
            child: predefined(type),
          }),
      );
    }),
  ),
);
