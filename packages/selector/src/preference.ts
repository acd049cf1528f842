import { requireConditions, requireMoves, type Backend, type Conditions, type Move } from "@stowage/backend-api";
import { requireBackends } from "@stowage/engine";
import { isDenseLayout, stridedBlock, type Layout } from "@stowage/ir";

/** What decides the order until measured cost models do: where the bytes lie, and on a device how. */
export type Situation = "host" | "contiguous" | "strided" | "irregular";

/**
 * Backends in order of preference. Host or pinned memory on both sides: machine code, then the interpreter. Where a
 * GPU's own or managed memory takes part: copy engines for one run of bytes, which need no multiprocessor; kernels
 * with scalar parameters for one strided object; the kernel for any datatype for everything else.
 */
export const PREFERENCE: Readonly<Record<Situation, readonly string[]>> = Object.freeze({
  host: ["x64", "cpu", "dma", "cuda-strided", "cuda-generic"],
  contiguous: ["dma", "cuda-strided", "cuda-generic", "x64", "cpu"],
  strided: ["cuda-strided", "cuda-generic", "dma", "x64", "cpu"],
  irregular: ["cuda-generic", "dma", "cuda-strided", "x64", "cpu"],
});

/** Situations, in words for the user. */
export const SITUATION_TEXT: Readonly<Record<Situation, string>> = Object.freeze({
  host: "host memory",
  contiguous: "contiguous bytes in device memory",
  strided: "a strided object in device memory",
  irregular: "an irregular layout in device memory",
});

/** The situation of canonical moves: that of the least regular side of them all. */
export function situationOf(moves: readonly Move[], conditions: Conditions): Situation {
  requireMoves(moves);
  const { sourceKind, targetKind, count } = requireConditions(conditions);
  if ([sourceKind, targetKind].every((kind) => kind === "host" || kind === "pinned")) return "host";
  const sides = moves.flatMap(({ source, target }) => [source, target]);
  if (sides.every((side) => isContiguous(side, count))) return "contiguous";
  const regular = sides.every((side) => side.sizeBytes === 0 || stridedBlock(side) !== undefined);
  return regular ? "strided" : "irregular";
}

const isContiguous = (side: Layout, count: Conditions["count"]): boolean =>
  isDenseLayout(side) || (side.root.kind === "dense" && (count === 1 || side.extentBytes === side.sizeBytes));

/** Backends in order of preference; a user's own were registered for a purpose, and go before ours. */
export function byPreference(backends: readonly Backend[], situation: Situation): readonly Backend[] {
  const order = PREFERENCE[situation];
  return [...requireBackends(backends)].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
