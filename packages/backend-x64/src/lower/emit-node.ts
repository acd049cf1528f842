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

/** Members of a sequence that move this much are called: a call costs nothing beside it, and parts of them need the same code. */
const LEAST_CALLED_BYTES = 1024;

function isUnrolled(e: Emitter, node: LayoutNode): boolean {
  const most = e.streaming === undefined ? e.tuning.unrollMoves : Math.min(e.tuning.unrollMoves, MOST_STREAMED_MOVES);
  return unrolledMoves(node, e.widest, most) <= most;
}

/** All of a node, whose zero and first packed byte lie at `place`. */
export function emitNode(e: Emitter, node: LayoutNode, place: Place, limits: Limits): void {
  if (node.sizeBytes === 0) return;
  if (node.kind === "stream" && nearRoundOf(e, node.child, node.strideBytes, node.count) !== undefined)
    return emitStream(e, node, place, limits);
  if (isUnrolled(e, node)) return emitUnrolled(e, node, place, limits);
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

/** All of a member of a sequence that has a routine of its own. */
export function emitMember(e: Emitter, node: LayoutNode, place: Place, limits: Limits): void {
  if (node.kind === "dense" || node.sizeBytes < LEAST_CALLED_BYTES || isUnrolled(e, node))
    emitNode(e, node, place, limits);
  else emitCall(e, node, place);
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitCall(e: Emitter, node: LayoutNode, place: Place): void {
  e.settle(place);
  e.emit(general.call_rel32, e.routine("whole", node));
  e.driftP += node.sizeBytes;
}
