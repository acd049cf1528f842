import { contiguous, hvector, predefined, resized, subarray, vector, type Datatype } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";

/** Floats of a row of the allocation, its rows, its planes; and those of the object inside, from Figure 2. */
const [ROW, ROWS, PLANES] = [256, 512, 1024] as const;
const [FLOATS_MOVED, ROWS_MOVED, PLANES_MOVED] = [100, 13, 47] as const;

const FLOAT_BYTES = 4;
const ROW_BYTES = ROW * FLOAT_BYTES;
const PLANE_BYTES = ROW_BYTES * ROWS;
const BYTES_MOVED = FLOATS_MOVED * FLOAT_BYTES;

const float = predefined("MPI_FLOAT");
const byte = predefined("MPI_BYTE");

/** One way to build an object, by the names of its constructors. */
type Construction = readonly [label: string, datatype: Datatype];

const box = (sizes: number[], subsizes: number[], child: Datatype): Datatype =>
  subarray({ sizes, subsizes, starts: sizes.map(() => 0), order: "C", child });

const PADDED_ROWS: readonly Construction[] = [
  ["subarray-of-floats", box([ROW], [FLOATS_MOVED], float)],
  ["subarray-of-bytes", box([ROW_BYTES], [BYTES_MOVED], byte)],
];

const ROW_CONSTRUCTIONS: readonly Construction[] = [
  ["contiguous-floats", contiguous(FLOATS_MOVED, float)],
  ["contiguous-bytes", contiguous(BYTES_MOVED, byte)],
  ["vector-of-one-block", vector(1, FLOATS_MOVED, 1, float)],
  ["vector-of-touching-blocks", vector(FLOATS_MOVED, FLOAT_BYTES, FLOAT_BYTES, byte)],
  ["hvector-of-touching-bytes", hvector(BYTES_MOVED, 1, 1, byte)],
  ...PADDED_ROWS,
];

/** Padded rows have the extent of the allocation's row, so that constructors need no stride to reach the next. */
const PLANE_CONSTRUCTIONS: readonly Construction[] = [
  ["vector-of-floats", vector(ROWS_MOVED, FLOATS_MOVED, ROW, float)],
  ["vector-of-bytes", vector(ROWS_MOVED, BYTES_MOVED, ROW_BYTES, byte)],
  ["subarray-of-floats", box([ROWS, ROW], [ROWS_MOVED, FLOATS_MOVED], float)],
  ["subarray-of-bytes", box([ROWS, ROW_BYTES], [ROWS_MOVED, BYTES_MOVED], byte)],
  ...ROW_CONSTRUCTIONS.map(([label, row]): Construction => [
    `hvector-of-${label}`,
    hvector(ROWS_MOVED, 1, ROW_BYTES, row),
  ]),
  ...PADDED_ROWS.map(([label, row]): Construction => [`vector-of-${label}`, vector(ROWS_MOVED, 1, 1, row)]),
  ...PADDED_ROWS.map(([label, row]): Construction => [`subarray-of-${label}`, box([ROWS], [ROWS_MOVED], row)]),
];

const CUBOID_CONSTRUCTIONS: readonly Construction[] = [
  ["subarray-of-floats", box([PLANES, ROWS, ROW], [PLANES_MOVED, ROWS_MOVED, FLOATS_MOVED], float)],
  ["subarray-of-bytes", box([PLANES, ROWS, ROW_BYTES], [PLANES_MOVED, ROWS_MOVED, BYTES_MOVED], byte)],
  ...PLANE_CONSTRUCTIONS.map(([label, plane]): Construction => [
    `hvector-of-${label}`,
    hvector(PLANES_MOVED, 1, PLANE_BYTES, plane),
  ]),
  ...PADDED_ROWS.map(([label, row]): Construction => [
    `subarray-of-${label}`,
    box([PLANES, ROWS], [PLANES_MOVED, ROWS_MOVED], row),
  ]),
];

/**
 * The constructions of one object differ in their extents, which are part of a layout's identity; so each is
 * resized to the allocation around it, and then they are one object and one layout.
 */
function equivalents(object: string, extentBytes: number, sizeBytes: number, constructions: readonly Construction[]) {
  return constructions.map(([label, datatype]) =>
    repeated(
      {
        name: `${object}/${label}`,
        group: "tempi",
        description: `one of ${constructions.length} constructions of the same ${object}`,
        source: "Pearson et al., TEMPI 2021, section 2 and Figure 2",
      },
      sizeBytes,
      () => resized(0, extentBytes, datatype),
    ),
  );
}

const PLANE_BYTES_MOVED = BYTES_MOVED * ROWS_MOVED;

export const EQUIVALENTS: readonly WorkloadDefinition[] = [
  ...equivalents("row", ROW_BYTES, BYTES_MOVED, ROW_CONSTRUCTIONS),
  ...equivalents("plane", PLANE_BYTES, PLANE_BYTES_MOVED, PLANE_CONSTRUCTIONS),
  ...equivalents("cuboid", PLANE_BYTES * PLANES, PLANE_BYTES_MOVED * PLANES_MOVED, CUBOID_CONSTRUCTIONS),
];
