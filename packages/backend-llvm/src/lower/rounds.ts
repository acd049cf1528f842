import type { Stream } from "@stowage/ir";
import type { Value } from "./function-writer.js";
import { mergedBlocks } from "./merged-stores.js";
import { moved, type NodeWriter } from "./node-writer.js";
import { overlaidBytes, packOverlaid } from "./overlaid.js";
import type { Round } from "./round.js";
import { columnsRounds } from "./transpose.js";

/** Moves of one round, enough to hide the counting. */
export const MOVES_A_ROUND = 8;

/** The rounds that a loop over children takes, the longer ones first; the last is of one child. */
export function roundsOf(writer: NodeWriter, node: Stream, from: Value, to: Value): readonly Round[] {
  const most = typeof from === "number" && typeof to === "number" ? to - from : Infinity;
  const transposed = columnsRounds(writer, node);
  const special = transposed.length > 0 ? transposed : shortBlocksRounds(writer, node);
  const several = 2 ** Math.floor(Math.log2(Math.max(1, MOVES_A_ROUND / writer.movesOf(node.child))));
  const plain = special.length === 0 && several > 1 ? [plainRound(writer, node, several)] : [];
  return [...special, ...plain, plainRound(writer, node, 1)].filter(({ children }) => children <= most);
}

/** The rounds of blocks that registers hold together, or one each with room behind it. */
function shortBlocksRounds(writer: NodeWriter, { child, strideBytes }: Stream): readonly Round[] {
  const merged = mergedBlocks(writer, child);
  if (merged !== undefined) {
    const { blocks, emit } = merged;
    return [
      {
        children: blocks,
        moves: blocks,
        emit: (f, { scattered, packed }) => emit(f, packed, (k) => f.at(scattered, k * strideBytes)),
      },
    ];
  }
  const register = child.kind === "dense" ? overlaidBytes(writer, child.sizeBytes) : 0;
  if (register === 0) return [];
  return [
    {
      children: MOVES_A_ROUND,
      followed: 1,
      moves: MOVES_A_ROUND,
      emit(f, first) {
        for (let k = 0; k < MOVES_A_ROUND; k++)
          packOverlaid(f, writer, child.sizeBytes, register, moved(f, first, k * strideBytes, k * child.sizeBytes));
      },
    },
  ];
}

const plainRound = (writer: NodeWriter, { child, strideBytes }: Stream, children: number): Round => ({
  children,
  moves: children * writer.movesOf(child),
  emit(f, first) {
    for (let i = 0; i < children; i++) writer.whole(f, child, moved(f, first, i * strideBytes, i * child.sizeBytes));
  },
});
