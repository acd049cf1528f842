import { requireRecord, type FieldRule, type FieldRules } from "@stowage/ir";

/**
 * How a result of another engine names what it moved: a benchmark's type and its parameters, such as "N=64;face=XY".
 */
export interface PeerRow {
  /** The benchmark's name of the type, such as "T1_vector". */
  readonly type: string;
  /** Its parameters as text, such as "blk=64;pitch=512". */
  readonly params: string;
}

type Rule = readonly [type: RegExp, params: RegExp, name: (match: readonly string[]) => string];

const BLOCKS = /^blk=(\d+);pitch=512/;

/** One line a benchmark of the peers' tables. The packed size stands in the row and is a parameter of workload(). */
const RULES: readonly Rule[] = [
  [/^memcpyAsync$/, /^contig$/, () => "contiguous"],
  [/^(memcpy2DAsync|T1_vector)$/, BLOCKS, ([, bytes]) => `vector-${bytes}`],
  [/^T1_vec1MiB_xN$/, BLOCKS, ([, bytes]) => `vectors-${bytes}`],
  [/^T1_subarray$/, BLOCKS, ([, bytes]) => `subarray-${bytes}`],
  [/^T2_hvector_bytes$/, BLOCKS, ([, bytes]) => `hvector-bytes-${bytes}`],
  [
    /^(memcpy3DAsync|T3_face3d_double)$/,
    /^N=(\d+);face=(XY|XZ|YZ)/,
    ([, n, face]) => `face-${n}-${face?.toLowerCase()}`,
  ],
  [/^T4_sub4d_double$/, /^edge=(\d+) of 64\^4$/, ([, edge]) => `subarray4d-${edge}`],
  [/^(T5_indexed_eq|memcpyBatchAsync)$/, /^(?:T5_indexed_eq;)?blk=(\d+);pitch=512/, ([, bytes]) => `indexed-${bytes}`],
  [/^(T5_indexed_rand|memcpyBatchAsync)$/, /^(?:T5_indexed_rand;)?len=1\.\.16dbl/, () => "indexed-random"],
  [/^T6_struct$/, /^dbl_int_int_char/, () => "struct24"],
  [/^T7_vecvec18f$/, /^outer=/, () => "su3-rows"],
  [/^T7_milc_zdown$/, /^L=16$/, () => "MILC_su3_zdown/0"],
  [/^T7_milc_zdown$/, /^L=32$/, () => "milc-32"],
  [/^T7_lammps_full$/, /^atoms=/, () => "lammps-atoms"],
  [/^T7_specfem_oc$/, /^n=/, () => "specfem-oc"],
  [/^T7_specfem_cm$/, /^n=/, () => "specfem-cm"],
  [/^T7_wrf_like$/, /^([xy])_halo/, ([, direction]) => `fields-halo-${direction}`],
  [
    /^(memcpy3DAsync|T7_halo26_512f_r2)$/,
    /^(?:halo r2 )?dx=(-?\d);dy=(-?\d);dz=(-?\d)/,
    ([, dx, dy, dz]) => `halo26/${dx},${dy},${dz}`,
  ],
  [/^T7_halo26_all$/, /^26 /, () => "halo26/all"],
];

const TEXT: FieldRule = { expected: "text", allows: (value) => typeof value === "string" };
const ROW: FieldRules<PeerRow> = { type: TEXT, params: TEXT };

/**
 * The name of the workload that a row of the peers' tables moved; undefined where it moved no datatype. Throws an
 * ArgumentError for what is no row.
 */
export function workloadOfPeerRow(row: PeerRow): string | undefined {
  const { type, params } = requireRecord(row, "row of a peer", ROW);
  for (const [typeRule, paramsRule, name] of RULES) {
    const match = typeRule.test(type) ? paramsRule.exec(params) : null;
    if (match !== null) return name(match);
  }
  return undefined;
}
