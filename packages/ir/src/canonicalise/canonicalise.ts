import { requireLayout, type Layout } from "../layout/layout.js";
import { anchorFirstByte } from "./anchor-first-byte.js";
import { applyToChain, applyToGraph } from "./apply-pass.js";
import { chainOf } from "./chain.js";
import { coalesceAdjacent } from "./coalesce-adjacent.js";
import { dropEmpty } from "./drop-empty.js";
import { elideUnitStream } from "./elide-unit-stream.js";
import { flattenSequence } from "./flatten-sequence.js";
import { foldDenseStream } from "./fold-dense-stream.js";
import { joinAcrossIterations } from "./join-across-iterations.js";
import { joinWithinBlocks } from "./join-within-blocks.js";
import { joinStreams } from "./join-streams.js";
import { measureRunsInBytes } from "./measure-runs-in-bytes.js";
import { mergeNestedStreams } from "./merge-nested-streams.js";
import type { Pass } from "./pass.js";
import { recoverStreams } from "./recover-streams.js";
import { tabulateSequence } from "./tabulate-sequence.js";
import { uniteBlocklengths } from "./unite-blocklengths.js";
import { unwrapSingle } from "./unwrap-single.js";
import { requireCallback, requireOptions } from "../checks/require-argument.js";

/**
 * The passes, in the order of a sweep. The order affects how many sweeps there are, and which of two equal forms a
 * list takes: streams are recovered from a list before its neighbours are coalesced, so that an enumerated grid
 * reaches the form of its description by strides. Sequences become tables before they are flattened, so that
 * repeated members are counted, not copied.
 */
export const PASSES: readonly Pass[] = Object.freeze([
  dropEmpty,
  elideUnitStream,
  unwrapSingle,
  foldDenseStream,
  mergeNestedStreams,
  uniteBlocklengths,
  measureRunsInBytes,
  anchorFirstByte,
  tabulateSequence,
  recoverStreams,
  flattenSequence,
  joinStreams,
  coalesceAdjacent,
  joinAcrossIterations,
  joinWithinBlocks,
]);

/** What canonicalise tells on its way. */
export interface CanonicaliseOptions {
  /** A function that is called after each pass that changed the layout, with the pass's name. */
  readonly onPass?: (name: string, before: Layout, after: Layout) => void;
}

/**
 * The normal form of a layout: the passes in turn until none changes anything. It keeps every byte in its place in
 * the packed stream, and the bounds. Equivalent constructions of one strided object reach the same form (TEMPI,
 * section 3.2). In it the first packed byte of every node lies at the node's own zero. O(nodes) for regular layouts,
 * linear in the length of tables; nothing recurses on depth.
 * @throws ArgumentError where `start` is no layout or an option is wrong.
 *
 * @example
 * ```typescript
 * // Two descriptions of a column of four doubles, one by strides and one by a list.
 * const strided = lower(vector(4, 1, 10, "MPI_DOUBLE"));
 * const listed = lower(resized(0, 248, hindexedBlock(1, [0, 80, 160, 240], "MPI_DOUBLE")));
 * sameLayout(strided, listed); // false
 * sameLayout(canonicalise(strided), canonicalise(listed)); // true
 * ```
 */
export function canonicalise(start: Layout, options: CanonicaliseOptions = {}): Layout {
  requireLayout(start);
  requireOptions(options, "options of canonicalise", ["onPass"]);
  requireCallback(options.onPass, "onPass");
  let current = start;
  let chain = chainOf(current.root);
  for (let previous: Layout | undefined; previous !== current;) {
    previous = current;
    for (const pass of PASSES) {
      if (pass.whenSettled === true && current !== previous) break;
      const next = chain === undefined ? applyToGraph(pass, current) : applyToChain(pass, current, chain);
      if (next === current) continue;
      options.onPass?.(pass.name, current, next);
      current = next;
      chain = chainOf(current.root);
    }
  }
  return current;
}
