import type { CompiledType } from "../compiled-type.js";
import { constantsOf, documentLines, signatureText } from "./described.js";
import { OffsetNodes } from "./offset-nodes.js";

const CONTRACT = ` *
 * SYMBOL_offset(p): how far from a datatype's address 0 byte p of the packed stream lies, of elements side by side.
 * SYMBOL_position(o, count = 1): where in the packed stream of count elements the byte at offset o comes, first where it
 * comes several times; -1 where no element has a byte there.
 * All are constexpr (C++14), and in CUDA and HIP also __device__: a kernel that computes what it packs needs no other.
 * Between bytes side by side the offset grows by 1: where size, extent and all offsets are multiples of a type's size, whole
 * elements of it may be moved, from every position that is one.
 */
`;

/** What every such header needs, once. Tables stand twice: constants of the host are no variables of a device. */
const COMMON = `#ifndef STOWAGE_OFFSETS
#define STOWAGE_OFFSETS
#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define STOWAGE_BOTH __host__ __device__ inline
#else
#define STOWAGE_BOTH inline
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define STOWAGE_TABLE(name, ...)                                                      \\
  static __device__ constexpr std::int64_t name##_table[] = {__VA_ARGS__};            \\
  __host__ __device__ inline constexpr std::int64_t name(std::int64_t i) { return name##_table[i]; }
#else
#define STOWAGE_TABLE(name, ...)                                                      \\
  static constexpr std::int64_t name##_table[] = {__VA_ARGS__};                       \\
  STOWAGE_BOTH constexpr std::int64_t name(std::int64_t i) { return name##_table[i]; }
#endif

namespace stowage_offsets {
STOWAGE_BOTH constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/* The first position of offset o in count copies of a node that reaches from low to high, a stride apart. */
template <class Back>
STOWAGE_BOTH constexpr std::int64_t first_in(std::int64_t o, std::int64_t count, std::int64_t stride, std::int64_t low,
                                             std::int64_t high, std::int64_t size, Back back) {
  std::int64_t first = 0, last = stride == 0 ? 0 : count - 1;
  if (count <= 0) return -1;
  if (stride != 0) {
    /* low <= o - k * stride < high */
    const std::int64_t step = stride < 0 ? -stride : stride;
    const std::int64_t near = stride < 0 ? -(o - low) : o - high + 1, far = stride < 0 ? high - 1 - o : o - low;
    const std::int64_t from = -floor_divide(-near, step), to = floor_divide(far, step);
    if (from > first) first = from;
    if (to < last) last = to;
  }
  for (std::int64_t k = first; k <= last; ++k) {
    const std::int64_t q = back(o - k * stride);
    if (q >= 0) return k * size + q;
  }
  return -1;
}

/* The last of n entries, which rise, that is at most p. */
template <class Table>
STOWAGE_BOTH constexpr std::int64_t at_or_before(Table table, std::int64_t n, std::int64_t p) {
  std::int64_t from = 0, to = n;
  while (to - from > 1) {
    const std::int64_t middle = from + (to - from) / 2;
    if (table(middle) <= p) from = middle;
    else to = middle;
  }
  return from;
}

/* The first of n entries, in rising order, that is greater than o. */
template <class Table, class Order>
STOWAGE_BOTH constexpr std::int64_t first_above(Table table, Order order, std::int64_t n, std::int64_t o) {
  std::int64_t from = 0, to = n;
  while (from < to) {
    const std::int64_t middle = from + (to - from) / 2;
    if (table(order(middle)) > o) to = middle;
    else from = middle + 1;
  }
  return from;
}
}  // namespace stowage_offsets
#endif
`;

/** A program of the first type, which compiles as it is printed. */
function exampleOf([first]: readonly CompiledType[], fileName: string): string {
  if (first === undefined) return "";
  const { symbol } = first;
  const lines = [
    `#include "${fileName}"`,
    "",
    "// `element` is where the datatype's address 0 lies.",
    "void pack(const char *element, char *packed) {",
    `  for (std::int64_t p = 0; p < ${symbol}_size; ++p) packed[p] = element[${symbol}_offset(p)];`,
    "}",
  ];
  const text = lines.map((line) => ` *   ${line}`.trimEnd()).join("\n");
  return ` *\n * An element packed byte by byte:\n *\n${text}\n`;
}

/** A header of functions from packed position to offset and back, for C++ and CUDA. Throws an ArgumentError. */
export function offsetsHeader(types: readonly CompiledType[], guard: string, fileName: string): string {
  const head = `/* Written by stowage compile.\n${exampleOf(types, fileName)}${CONTRACT}`;
  const macro = `STOWAGE_OFFSETS_${guard.toUpperCase()}`;
  const all = types.map(functionsOf).join("\n");
  return `${head}#ifndef ${macro}\n#define ${macro}\n\n${COMMON}\n${all}\n#endif\n`;
}

function functionsOf(type: CompiledType): string {
  const { symbol, datatype, layout } = type;
  const comment = [`${symbol}: ${signatureText(datatype)}`, ...documentLines(datatype)].join("\n * ");
  const constants = constantsOf(type).map(
    ([name, value]) => `static constexpr std::int64_t ${symbol}_${name} = ${value}LL;`,
  );
  return `/* ${comment}\n */\n${constants.join("\n")}\n${new OffsetNodes(symbol).element(layout)}\n`;
}
