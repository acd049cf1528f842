import { contiguous, hvector, predefined, vector } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";
import { su3Zdown, su3ZdownBytes } from "../ddtbench/milc.js";
import { ofSteps } from "./of-steps.js";

const SOURCE = "rows of the peers' tables: regular types";
const blocksOf = ofSteps(SOURCE);

const double = predefined("MPI_DOUBLE");
const float = predefined("MPI_FLOAT");

/** su3 rows: 18 floats of every 36. */
const SU3_ROW_FLOATS = 18;
const SU3_ROWS = 64;

const LATTICE = 32;

export const PEER_STRIDED: readonly WorkloadDefinition[] = [
  blocksOf("vector-1of2", "1 double of every 2", 8, (blocks) => vector(blocks, 1, 2, double)),
  blocksOf("vector-1of64", "1 double of every 64", 8, (blocks) => vector(blocks, 1, 64, double)),
  blocksOf("vector-16of64", "16 doubles of every 64", 128, (blocks) => vector(blocks, 16, 64, double)),
  blocksOf("lu-column", "40-byte grid points of a column, as NAS_LU_y", 40, (points) =>
    vector(points, 1, points + 2, contiguous(5, double)),
  ),
  blocksOf("wrf-x-rows", "12-byte rows of 128, as WRF's halo in x", 12, (rows) => vector(rows, 3, 32, float)),
  blocksOf("wrf-y-rows", "92-byte rows of 128, as WRF's halo in y", 92, (rows) => vector(rows, 23, 32, float)),
  blocksOf("specfem-mt", "3 floats of every 6, as SPECFEM3D_mt", 12, (points) =>
    vector(points, 1, 2, contiguous(3, float)),
  ),
  {
    name: "su3-rows",
    group: "peers",
    description: "vectors of 64 blocks of 72 bytes, as MILC",
    source: SOURCE,
    defaultScale: SU3_ROWS,
    sizeBytes: (planes) => planes * SU3_ROWS * SU3_ROW_FLOATS * 4,
    build: (planes) => {
      const plane = vector(SU3_ROWS, SU3_ROW_FLOATS, 2 * SU3_ROW_FLOATS, float);
      return { datatype: hvector(planes, 1, SU3_ROWS * 2 * SU3_ROW_FLOATS * 4, plane), count: 1 };
    },
  },
  repeated(
    { name: "milc-32", group: "peers", description: "MILC_su3_zdown of a lattice of 32^4", source: SOURCE },
    su3ZdownBytes(LATTICE, LATTICE, LATTICE),
    () => su3Zdown(LATTICE, LATTICE, LATTICE, LATTICE),
  ),
];
