// Which plain C loop does what a workload does, and the shape that it is called with.
import { canonicalise, lower } from "@stowage/ir";

const FUNCTIONS = [
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

/** { name, fields: [{ start, kind, n, stride, list }] } for a workload of the tables. */
export function shapeOf(workloadName, datatype) {
  const [, name, element] = FUNCTIONS.find(([pattern]) => pattern.test(workloadName)) ?? [];
  if (name === undefined) throw new Error(`plain loop of ${workloadName}: expected one, got none`);
  if (name === "struct24") return { name, fields: [] };
  const members =
    datatype.kind === "struct"
      ? datatype.children.map((child, i) => [datatype.displacementsBytes[i], child])
      : [[0, datatype]];
  return { name, fields: members.map(([start, child]) => fieldOf(name, element, start, child)) };
}

function fieldOf(name, element, start, child) {
  if (name === "lists") return listField(start, child);
  if (name === "indexed_f64") {
    const list = Int32Array.from(
      { length: 2 * child.displacements.length },
      (_, i) => (i % 2 === 0 ? child.displacements : child.blocklengths)[i >> 1],
    );
    return { start, kind: 0, n: [0, child.displacements.length, 1, 1], stride: [1, 0, 0, 0], list };
  }
  return boxField(element, start, canonicalise(lower(child)));
}

function listField(start, child) {
  const width = child.blocklength;
  const bytes = lower(child.child).sizeBytes;
  return {
    start,
    kind: bytes * 10 + width,
    n: [0, child.displacements.length, 1, 1],
    stride: [1, 0, 0, 0],
    list: Int32Array.from(child.displacements, (displacement) => displacement / width),
  };
}

function boxField(element, start, layout) {
  const streams = [];
  let node = layout.root;
  for (; node.kind === "stream"; node = node.child) streams.unshift([node.count, node.strideBytes / element]);
  if (node.kind !== "dense" || streams.length > 3)
    throw new Error(`box: expected at most 3 streams of runs, got ${streams.length} of ${node.kind}`);
  while (streams.length < 3) streams.push([1, 0]);
  return {
    start: start + layout.startBytes,
    kind: 0,
    n: [node.lengthBytes / element, ...streams.map(([count]) => count)],
    stride: [1, ...streams.map(([, stride]) => stride)],
    list: undefined,
  };
}
