import type { Stream } from "@stowage/ir";
import type { Value } from "./function-writer.js";
import { moved, type NodeWriter } from "./node-writer.js";
import type { Round } from "./round.js";
import { columnsRound } from "./transpose.js";
import { mergedRound } from "./merged-stores.js";

const MOVES_A_ROUND = 8;

/** The rounds that a loop over children takes, the longer ones first; the last is of one child. */
export function roundsOf(writer: NodeWriter, node: Stream, from: Value, to: Value): readonly Round[] {
  const most = typeof from === "number" && typeof to === "number" ? to - from : Infinity;
  const special = [columnsRound(writer, node), mergedRound(writer, node)].filter((round) => round !== undefined);
  const moves = writer.movesOf(node.child);
  const several = 2 ** Math.floor(Math.log2(Math.max(1, MOVES_A_ROUND / moves)));
  const plain =
    several > 1 ? [plainRound(writer, node, several), plainRound(writer, node, 1)] : [plainRound(writer, node, 1)];
  return [...special.slice(0, 1), ...(special.length > 0 ? plain.slice(-1) : plain)].filter(
    ({ children }) => children <= most,
  );
}

const plainRound = (writer: NodeWriter, node: Stream, children: number): Round => ({
  children,
  moves: children * writer.movesOf(node.child),
  emit(f, first) {
    for (let i = 0; i < children; i++)
      writer.whole(f, node.child, moved(f, first, i * node.strideBytes, i * node.child.sizeBytes));
  },
});
