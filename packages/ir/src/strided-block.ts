import { requireLayout, type Layout } from "./layout/layout.js";
import type { LayoutNode } from "./layout/node.js";

/**
 * A layout that is one strided object: `counts[0]` contiguous bytes, repeated `counts[1]` times `stridesBytes[1]`
 * apart, and so on outwards; `stridesBytes[0]` is 1. TEMPI, section 3.3 and Algorithm 4.
 */
export interface StridedBlock {
  /** The first packed byte, from the datatype's address 0. */
  readonly startBytes: number;
  /** Bytes of a row, then copies of each dimension, the innermost first. */
  readonly counts: readonly number[];
  /** 1, then the distance between copies of each dimension; as many entries as `counts`. */
  readonly stridesBytes: readonly number[];
}

/**
 * The strided block that a canonical layout is; undefined where the layout is another, or moves no byte.
 *
 * @example
 * ```typescript
 * stridedBlock(canonicalise(lower(vector(3, 2, 5, "MPI_INT"))));
 * // { startBytes: 0, counts: [8, 3], stridesBytes: [1, 20] }
 * ```
 */
export function stridedBlock(layout: Layout): StridedBlock | undefined {
  const { startBytes, root } = requireLayout(layout);
  if (root.sizeBytes === 0) return undefined;
  const counts: number[] = [];
  const stridesBytes: number[] = [];
  let node: LayoutNode = root;
  for (; node.kind === "stream"; node = node.child) {
    counts.push(node.count);
    stridesBytes.push(node.strideBytes);
  }
  if (node.kind !== "dense") return undefined;
  return Object.freeze({
    startBytes,
    counts: Object.freeze([node.lengthBytes, ...counts.reverse()]),
    stridesBytes: Object.freeze([1, ...stridesBytes.reverse()]),
  });
}
