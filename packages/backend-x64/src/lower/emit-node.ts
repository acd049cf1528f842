import { general } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { emitBlocks } from "./blocks.js";
import { isInlined, unrolledMoves } from "./cost.js";
import { emitDense } from "./dense.js";
import { at, type Emitter, type Limits, type Place } from "./emitter.js";
import { nearRoundOf } from "./near-rounds.js";
import { emitStream } from "./stream.js";
import { emitUnrolled } from "./unrolled.js";

/** Moves that are written out in code for what lies beyond the caches, where loops cost nothing and their commit less. */
const MOST_STREAMED_MOVES = 8;

/** All of a node, whose zero and first packed byte lie at `place`. */
export function emitNode(e: Emitter, node: LayoutNode, place: Place, limits: Limits): void {
  if (node.sizeBytes === 0) return;
  if (node.kind === "stream" && nearRoundOf(e, node.child, node.strideBytes, node.count) !== undefined) return emitStream(e, node, place, limits);
  const most = e.streaming === undefined ? e.tuning.unrollMoves : Math.min(e.tuning.unrollMoves, MOST_STREAMED_MOVES);
  if (unrolledMoves(node, e.widest, most) <= most) {
    return emitUnrolled(e, node, place, limits);
  }
  if (!isInlined(node)) return emitCall(e, node, place);
  switch (node.kind) {
    case "dense":
      return emitDense(e, node.lengthBytes, place, limits);
    case "stream":
      return emitStream(e, node, place, limits);
    case "blocks":
      return emitBlocks(e, node, place);
    case "sequence": {
      let p = place.p;
      for (const member of node.members) {
        emitNode(e, member.node, at(place.s + member.offsetBytes, p), limits);
        p += member.node.sizeBytes;
      }
    }
  }
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
export function emitCall(e: Emitter, node: LayoutNode, place: Place): void {
  e.settle(place);
  e.emit(general.call_rel32, e.routine("whole", node));
  e.driftP += node.sizeBytes;
}
