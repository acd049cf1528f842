import {
  canonicalise,
  dense,
  integerTable,
  layout,
  printLayout,
  stream,
  uniformBlocks,
  type LayoutNode,
} from "@stowage/ir";
import * as fc from "fast-check";
import { byteMapOfLayout } from "../reference/layout-walk.js";
import type { Subject } from "./subject.js";

/** Where a piece lies in the pages that it is given: at their beginning, at their end, or anywhere. */
export interface Position {
  /** Pages left free before it. */
  readonly free: number;
  readonly flush: "start" | "end" | "anywhere";
  readonly offset: number;
  readonly rank: number;
}

/** Equal pieces, each on pages of its own. */
export interface Spread {
  readonly rows: number;
  readonly rowBytes: number;
  readonly gapBytes: number;
  readonly positions: readonly Position[];
  /** The pieces at one stride, each as the first lies. */
  readonly isEven: boolean;
  readonly isCanonical: boolean;
}

const anyPosition: fc.Arbitrary<Position> = fc.record({
  free: fc.nat({ max: 2 }),
  flush: fc.constantFrom("start", "end", "anywhere"),
  offset: fc.nat({ max: 5000 }),
  rank: fc.nat({ max: 99 }),
});

export const anyPositions = fc.array(anyPosition, { minLength: 1, maxLength: 12 });

export const anySpread: fc.Arbitrary<Spread> = fc.record({
  rows: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 9 })),
  rowBytes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 300 })),
  gapBytes: fc.nat({ max: 70 }),
  positions: anyPositions,
  isEven: fc.boolean(),
  isCanonical: fc.boolean(),
});

/** Rows with gaps between them, at most as far apart as to touch no free page. */
function pieceOf({ rows, rowBytes, gapBytes }: Spread, pageBytes: number): LayoutNode {
  const strideBytes = rowBytes + Math.min(gapBytes, pageBytes - 1);
  return rows === 1 ? dense(rowBytes) : stream(rows, strideBytes, dense(rowBytes));
}

/** The pieces as one layout, whose elements take whole pages, so that all elements lie in theirs as the first does. */
export function spreadOver(pageBytes: number, spread: Spread): Subject {
  const piece = pieceOf(spread, pageBytes);
  return spread.isEven
    ? evenly(pageBytes, piece, spread)
    : placed(pageBytes, piece, spread.positions, spread.isCanonical);
}

/** Dense pieces of as many bytes as another spread's, on other pages: the target of a copy from it. */
export function denseSpread(pageBytes: number, spread: Spread, on: readonly Position[]): Subject {
  const positions = spread.positions.map((_, i) => on[i % on.length] as Position);
  return placed(pageBytes, dense(spread.rows * spread.rowBytes), positions, spread.isCanonical);
}

function evenly(pageBytes: number, piece: LayoutNode, { positions, isCanonical }: Spread): Subject {
  const first = positions[0] as Position;
  const pages = pagesFor(piece, pageBytes) + first.free;
  const root = stream(positions.length, pages * pageBytes, piece);
  return subjectOf(startIn(piece, pageBytes, first), root, positions.length * pages * pageBytes, isCanonical);
}

function placed(pageBytes: number, piece: LayoutNode, positions: readonly Position[], isCanonical: boolean): Subject {
  const own = pagesFor(piece, pageBytes);
  const displacements = new Array<number>(positions.length).fill(0);
  let page = 0;
  const inMemory = [...positions.keys()].sort(
    (a, b) => (positions[a] as Position).rank - (positions[b] as Position).rank,
  );
  for (const i of inMemory) {
    page += (positions[i] as Position).free;
    displacements[i] = page * pageBytes + startIn(piece, pageBytes, positions[i] as Position);
    page += own;
  }
  const root = uniformBlocks(
    integerTable(displacements.length, (i) => displacements[i] as number),
    piece,
  );
  return subjectOf(0, root, page * pageBytes, isCanonical);
}

const pagesFor = ({ highBytes }: LayoutNode, pageBytes: number): number => Math.ceil(highBytes / pageBytes);

function startIn(piece: LayoutNode, pageBytes: number, { flush, offset }: Position): number {
  const leftBytes = pagesFor(piece, pageBytes) * pageBytes - piece.highBytes;
  return flush === "start" ? 0 : flush === "end" ? leftBytes : offset % (leftBytes + 1);
}

function subjectOf(startBytes: number, root: LayoutNode, extentBytes: number, isCanonical: boolean): Subject {
  const plain = layout(startBytes, root, { lowerBoundBytes: 0, extentBytes });
  return {
    layout: isCanonical ? canonicalise(plain) : plain,
    map: byteMapOfLayout(plain),
    [fc.toStringMethod]: () => printLayout(plain),
  };
}
