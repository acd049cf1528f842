import { canonicalise, lower, type Datatype, type Layout } from "@stowage/ir";

/** One member of a datatype as the loops take it: runs in up to three streams, or a list. Strides are in elements. */
export interface Field {
  readonly start: number;
  readonly kind: number;
  readonly n: readonly number[];
  readonly stride: readonly number[];
  readonly list: Int32Array | undefined;
}

/** Which plain C loop does what a workload does, and what it is called with. */
export interface Shape {
  readonly name: string;
  readonly fields: readonly Field[];
}

type Listed = Extract<Datatype, { kind: "indexed_block" | "hindexed_block" | "indexed" | "hindexed" }>;

const FUNCTIONS: readonly (readonly [RegExp, string, number])[] = [
  [/^WRF_/, "boxes_f32", 4],
  [/^MILC|^milc/, "boxes_f32", 4],
  [/^NAS_LU_x/, "boxes_f64", 8],
  [/^NAS_LU_y|^lu-column/, "blocks_5_f64", 8],
  [/^NAS_MG_x/, "blocks_1_f64", 8],
  [/^NAS_MG_[yz]/, "boxes_f64", 8],
  [/^LAMMPS_\w+\/[024]$|^SPECFEM3D_(oc|cm)|^lammps-atoms|^specfem-(oc|cm)/, "lists", 0],
  [/^LAMMPS_\w+\/[135]$/, "boxes_f64", 8],
  [/^SPECFEM3D_mt\/[0246]|^specfem-mt/, "blocks_3_of_6_f32", 4],
  [/^SPECFEM3D_mt/, "boxes_f32", 4],
  [/^FFT2\/(0|1|3|4|6|7|9|10|12|13)$|^fft2-transpose/, "blocks_1_c128", 16],
  [/^FFT2/, "boxes_c128", 16],
  [/^vector-1of2$/, "blocks_1_of_2_f64", 8],
  [/^vector-1of64$/, "blocks_1_of_64_f64", 8],
  [/^vector-16of64$/, "blocks_16_of_64_f64", 8],
  [/^wrf-x-rows/, "blocks_3_of_32_f32", 4],
  [/^wrf-y-rows/, "blocks_23_of_32_f32", 4],
  [/^su3-rows/, "blocks_18_of_36_f32", 4],
  [/^box4d-bytes/, "boxes_u8", 1],
  [/^box4d-doubles/, "boxes_f64", 8],
  [/^fields-halo/, "boxes_f32", 4],
  [/^transpose$/, "blocks_1_f64", 8],
  [/^indexed-random/, "indexed_f64", 8],
  [/^struct24/, "struct24", 0],
];

/** Throws an error that begins with "plain loop of" where nobody has written one for a workload. */
export function shapeOf(workload: string, datatype: Datatype): Shape {
  const [, name, element = 0] = FUNCTIONS.find(([pattern]) => pattern.test(workload)) ?? [];
  if (name === undefined) throw new Error(`plain loop of ${workload}: expected one, got none`);
  if (name === "struct24") return { name, fields: [] };
  const members =
    datatype.kind === "struct"
      ? datatype.children.map((child, i) => [datatype.displacementsBytes[i] as number, child] as const)
      : [[0, datatype] as const];
  return { name, fields: members.map(([start, child]) => fieldOf(workload, name, element, start, child)) };
}

function fieldOf(workload: string, name: string, element: number, start: number, child: Datatype): Field {
  if (name === "lists") return listField(start, child as Listed);
  if (name !== "indexed_f64") return boxField(workload, element, start, canonicalise(lower(child)));
  const { displacements, blocklengths } = child as unknown as Record<"displacements" | "blocklengths", Int32Array>;
  const list = Int32Array.from(
    { length: 2 * displacements.length },
    (_, i) => (i % 2 === 0 ? displacements : blocklengths)[i >> 1] as number,
  );
  return { start, kind: 0, n: [0, displacements.length, 1, 1], stride: [1, 0, 0, 0], list };
}

function listField(start: number, listed: Listed): Field {
  const { blocklength: width, displacements, child } = listed as Extract<Datatype, { kind: "indexed_block" }>;
  return {
    start,
    kind: lower(child).sizeBytes * 10 + width,
    n: [0, displacements.length, 1, 1],
    stride: [1, 0, 0, 0],
    list: Int32Array.from(displacements, (displacement) => displacement / width),
  };
}

function boxField(workload: string, element: number, start: number, layout: Layout): Field {
  const streams: (readonly [count: number, stride: number])[] = [];
  let node = layout.root;
  for (; node.kind === "stream"; node = node.child) streams.unshift([node.count, node.strideBytes / element]);
  if (node.kind !== "dense" || streams.length > 3)
    throw new Error(
      `plain loop of ${workload}: expected at most 3 streams of runs, got ${streams.length} of ${node.kind}`,
    );
  while (streams.length < 3) streams.push([1, 0]);
  return {
    start: start + layout.startBytes,
    kind: 0,
    n: [node.lengthBytes / element, ...streams.map(([count]) => count)],
    stride: [1, ...streams.map(([, stride]) => stride)],
    list: undefined,
  };
}
