import { predefined, subarray } from "@stowage/ir";
import { repeated } from "../definition.js";

const EDGES = [4, 8, 16, 32];
const VOLUME_EDGE = 64;
const DIMENSIONS = 4;

/** Four-dimensional hypercubes of doubles in a volume of 64^4; more bytes are more volumes. */
export const HYPERCUBES = EDGES.map((edge) =>
  repeated(
    {
      name: `subarray4d-${edge}`,
      group: "jenkins",
      description: `4D subvolume of edge ${edge} in 64^4 doubles`,
      source: "Jenkins et al., TPDS 2014, section 4.1",
    },
    edge ** DIMENSIONS * 8,
    () =>
      subarray({
        sizes: new Array<number>(DIMENSIONS).fill(VOLUME_EDGE),
        subsizes: new Array<number>(DIMENSIONS).fill(edge),
        starts: new Array<number>(DIMENSIONS).fill(0),
        order: "C",
        child: predefined("MPI_DOUBLE"),
      }),
  ),
);
