import { predefined, vector, type Datatype } from "@stowage/ir";
import { repeated } from "../definition.js";

const EDGES = [64, 128, 256, 512];
const double = predefined("MPI_DOUBLE");

/** Each face of a cube of edge n as one vector: blocks, blocklength and stride in doubles. */
const FACES: readonly { readonly face: string; readonly shape: string; readonly of: (n: number) => Datatype }[] = [
  { face: "xy", shape: "contiguous", of: (n) => vector(1, n * n, n * n, double) },
  { face: "xz", shape: "one row a plane", of: (n) => vector(n, n, n * n, double) },
  { face: "yz", shape: "single doubles", of: (n) => vector(n * n, 1, n, double) },
];

export const CUBE_FACES = EDGES.flatMap((edge) =>
  FACES.map(({ face, shape, of }) =>
    repeated(
      {
        name: `face-${edge}-${face}`,
        group: "faces",
        description: `${face}-face of ${edge}^3 doubles: ${shape}`,
        source: "Jenkins et al., Cluster 2012, Table 2",
      },
      edge * edge * 8,
      () => of(edge),
    ),
  ),
);
