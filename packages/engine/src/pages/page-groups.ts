import {
  BindingError,
  copyMove,
  isAddressSpace,
  tabledMove,
  type MemoryKind,
  type Move,
  type Span,
  type TableIndex,
} from "@stowage/backend-api";
import { ArgumentError, quoted } from "@stowage/ir";
import { spanOf, type BufferLike } from "../buffer-like.js";
import type { DatatypeLike } from "../datatype-like.js";
import { datatypeOf } from "../datatype-like.js";
import { moveBetween } from "../move-between.js";

/** Where the pages of one side lie: page p of pool i at bases[i] + p * strideBytes. */
export interface PagePools {
  /**
   * The memory of each pool, in one buffer each, all of one kind: a pool for each layer, and for keys and values apart
   * where they lie so.
   */
  readonly bases: readonly BufferLike[];
  /** The distance from a page to the next in bytes; not 0. */
  readonly strideBytes: number;
}

/** Pools whose pages move together: page sourcePages[k] of source pool i to page targetPages[k] of target pool i. */
export interface PageGroup {
  /** What of a page moves, as a datatype; two of one signature where both sides lay their pages out otherwise. */
  readonly page: DatatypeLike | { readonly source: DatatypeLike; readonly target: DatatypeLike };
  /** The pools that pages come from; as many as those of `target`. */
  readonly source: PagePools;
  readonly target: PagePools;
}

/** One pair of pools, as a move with a table on both sides. */
export interface PooledMove {
  /** The index of its group. */
  readonly group: number;
  readonly move: Move;
  readonly source: Span;
  readonly target: Span;
}

/**
 * The moves of some groups, a pool after the other. Throws an ArgumentError or BindingError for what can be no group, a
 * DatatypeError where the two datatypes of a page differ in signature.
 */
export function movesOf(groups: readonly PageGroup[], index: TableIndex, skips: boolean): readonly PooledMove[] {
  if (!Array.isArray(groups) || groups.length === 0)
    throw new ArgumentError("groups of pages", "a list of one or more", quoted(groups));
  return groups.flatMap((group: PageGroup, g) => {
    const subject = `group ${g} of pages`;
    if (typeof group !== "object" || (group as PageGroup | null) === null)
      throw new ArgumentError(subject, "{ page, source, target }", quoted(group));
    const { source, target } = { source: poolsOf(subject, "source", group), target: poolsOf(subject, "target", group) };
    if (source.bases.length !== target.bases.length)
      throw new ArgumentError(
        `target of ${subject}`,
        `${source.bases.length} pools, as its source`,
        String(target.bases.length),
      );
    const move = tabledMove(pageMove(group.page), {
      source: { index, strideBytes: group.source.strideBytes },
      target: { index, strideBytes: group.target.strideBytes },
      ...(skips ? { skips } : {}),
    });
    return source.bases.map((span, i) => ({ group: g, move, source: span, target: target.bases[i] as Span }));
  });
}

function pageMove(page: PageGroup["page"]): Move {
  if (typeof page === "object" && (page as object | null) !== null && "source" in page && "target" in page)
    return moveBetween(datatypeOf(page.source), datatypeOf(page.target));
  const { source } = moveBetween(datatypeOf(page as DatatypeLike), datatypeOf(page as DatatypeLike));
  return copyMove(source, source);
}

function poolsOf(subject: string, name: "source" | "target", group: PageGroup): { readonly bases: readonly Span[] } {
  const pools = group[name];
  if (typeof pools !== "object" || (pools as PagePools | null) === null || !Array.isArray(pools.bases))
    throw new ArgumentError(`${name} of ${subject}`, "{ bases, strideBytes }", quoted(pools));
  const bases = pools.bases.map((base: BufferLike) => spanOf(name, base));
  for (const { memory } of bases)
    if (isAddressSpace(memory))
      throw new BindingError(`pool of the ${name} of ${subject}`, "one buffer", "an address space");
  return { bases };
}

/** The kind of memory that all pools of a side are of. Throws an ArgumentError where they differ. */
export function kindOf(name: "source" | "target", moves: readonly PooledMove[]): MemoryKind {
  const kinds = [...new Set(moves.map((each) => each[name].memory.kind))];
  if (kinds.length === 1) return kinds[0] as MemoryKind;
  throw new ArgumentError(`${name} pools`, "memory of one kind", kinds.join(" and ") || "none");
}
