// Copies from one strided layout to another, in the shapes of CCCL's own benchmark of cuda::copy(mdspan, mdspan)
// (cudax/benchmarks/bench/copy/copy_bench.cu of CCCL 3.6).
import { hvector, predefined } from "@stowage/ir";

/** Bytes of an element, and MPI's name of it. */
export const ELEMENTS = {
  char: [1, "MPI_CHAR"],
  short: [2, "MPI_SHORT"],
  int: [4, "MPI_INT"],
  double: [8, "MPI_DOUBLE"],
};

const powers = (exponents) => exponents.map((each) => 2 ** each);
const DENSE = [25, 70, 90, 80, 80];
const DENSE_STRIDES = [40320000, 576000, 6400, 80, 1];
const BINARY = powers([15, 16, 17, 18, 19, 20, 21, 22, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);

/**
 * Name, element, index and lengths; strides in elements of the source and, where they differ, of the target; the first
 * element.
 */
const SHAPES = [
  ["contiguous", "int", "int", DENSE, DENSE_STRIDES],
  ["contiguous-perm", "int", "int", [25, 80, 70, 80, 90], [40320000, 1, 576000, 80, 6400]],
  [
    ...["contiguous-1-sized", "int", "int"],
    [1, 25, 1, 80, 1, 70, 1, 80, 1, 90],
    [1, 40320000, 1, 1, 1, 576000, 1, 80, 1, 6400],
  ],
  ["contiguous-not-aligned", "int", "int", DENSE, DENSE_STRIDES, undefined, 1],
  ["contiguous-small", "char", "int64_t", [100, 70, 90, 80, 80], DENSE_STRIDES],
  ["contiguous-small-not-aligned", "char", "int64_t", [100, 70, 90, 80, 80], DENSE_STRIDES, undefined, 1],
  ["contiguous-negative-stride", "int", "int", DENSE, [40320000, 576000, 6400, 80, -1], undefined, 80],
  ["vectorization", "char", "int64_t", [134217600, 32], [128, 1], undefined, 32],
  ["block-contiguous", "int", "int", [32767, 32768], [131072, 1]],
  ["several_dimensions", "int", "int", [64, 64, 64, 64, 64], [17043521, 266305, 4161, 65, 1]],
  ["several_dimensions_non_square", "int", "int", [63, 65, 67, 69, 57], [17433131, 268202, 4003, 58, 1]],
  [
    ...["flatten_common", "char", "int", new Array(23).fill(2)],
    ...[
      [...BINARY, 4, 1, 2],
      [...BINARY, 2, 4, 1],
    ],
  ],
  ["transpose_2D_col_row", "int", "int", [32768, 32768], [1, 32768], [32768, 1]],
  ["transpose_2D_row_col", "int", "int", [32768, 32768], [32768, 1], [1, 32768]],
  ["transpose_2D_char", "char", "int64_t", [65536, 65536], [1, 65536], [65536, 1]],
  ["transpose_2D_short", "short", "int", [32760, 65536], [1, 32760], [65536, 1]],
  ["transpose_2D_double", "double", "int64_t", [32768, 16384], [1, 32768], [16384, 1]],
  ["transpose_2D_odd_both", "int", "int", [32767, 32769], [1, 32767], [32769, 1]],
  ["transpose_3D", "int", "int", [1024, 1024, 1024], [1, 1024, 1048576], [1048576, 1024, 1]],
  ["transpose_3D_odd_edges", "int", "int", [1023, 1025, 1024], [1, 1023, 1048575], [1049600, 1024, 1]],
  ["transpose_src_small_15", "int", "int", [15, 2236962, 32], [1, 480, 15], [71582784, 32, 1]],
  ["transpose_src_small_16", "int", "int", [16, 2097152, 32], [1, 512, 16], [67108864, 32, 1]],
  ["transpose_src_small_17", "int", "int", [17, 1973790, 32], [1, 544, 17], [63161280, 32, 1]],
  ["transpose_dst_small_8_padded", "int", "int64_t", [32, 4194304, 8], [1, 256, 32], [67108864, 16, 1]],
  ["transpose_dst_small_16_padded", "int", "int64_t", [32, 2097152, 16], [1, 512, 32], [67108864, 32, 1]],
  ["transpose_src_small_16_4D", "int", "int", [16, 1024, 2048, 32], [1, 512, 524288, 16], [67108864, 32, 32768, 1]],
];

/** The same shape with short dimensions, for a simulated device: strides stay in the order that they have. */
function shortened({ lengths, source, target, ...rest }) {
  const kept = lengths.map((each) => Math.min(each, lengths.length > 10 ? (each > 1 ? 2 : 1) : 5));
  const packed = (strides) => {
    const order = strides
      .map((stride, d) => ({ size: Math.abs(stride), d }))
      .sort((a, b) => a.size - b.size || kept[a.d] - kept[b.d]);
    const result = new Array(strides.length);
    let step = 1;
    for (const { d } of order) {
      result[d] = Math.sign(strides[d]) * step;
      step *= kept[d];
    }
    return result;
  };
  return { ...rest, lengths: kept, source: packed(source), target: packed(target) };
}

/** The elements that a side spans, before and behind its first. */
const spanOf = (lengths, strides) =>
  lengths.reduce(
    ([low, high], length, d) => {
      const reach = (length - 1) * strides[d];
      return reach < 0 ? [low + reach, high] : [low, high + reach];
    },
    [0, 0],
  );

/** Dimensions in the order of the target's strides, which all count upwards then; where either side begins. */
export function orderedOf({ lengths, source, target, first }) {
  const begins = { source: first, target: first };
  const dimensions = lengths
    .map((length, d) => ({ length, source: source[d], target: target[d] }))
    .filter(({ length }) => length > 1)
    .map((each) => {
      if (each.target >= 0) return each;
      for (const side of ["source", "target"]) begins[side] += (each.length - 1) * each[side];
      return { length: each.length, source: -each.source, target: -each.target };
    })
    .sort((a, b) => a.target - b.target);
  return { dimensions, begins };
}

/** One side of ordered dimensions as a datatype. */
export const typeOf = (dimensions, side, bytes, name) =>
  dimensions.reduce((child, each) => hvector(each.length, 1, each[side] * bytes, child), predefined(name));

/** The bytes that one side's memory needs. */
export const bytesOf = ({ element, lengths, first, ...sides }, side) =>
  Math.ceil(((first + spanOf(lengths, sides[side])[1] + 1) * ELEMENTS[element][0]) / 256) * 256;

/** Those whose name fits a pattern; `simulated`: short ones. */
export const shapesFor = ({ only = "", simulated = false }) =>
  SHAPES.filter(([name]) => new RegExp(only).test(name)).map(
    ([name, element, index, lengths, source, target = source, first = 0]) => {
      const shape = { name, element, index, lengths, source, target, first };
      return simulated ? shortened(shape) : shape;
    },
  );
