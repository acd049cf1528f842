import { general } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { emitBlocks } from "./blocks.js";
import { isInlined, unrolledMoves } from "./cost.js";
import { emitDense } from "./dense.js";
import { at, type Limits, type Offsets } from "./emitter.js";
import { nearRoundOf } from "./near-rounds.js";
import type { NodeEmitter } from "./node-emitter.js";
import { isPermuted } from "./permuted-blocks.js";
import { limitsInside } from "./readable-gaps.js";
import { emitStream } from "./stream.js";
import { emitUnrolled } from "./unrolled.js";

/** Most unrolled moves out of cache: loops cost nothing there and are quicker to compile. */
const MOST_OUT_OF_CACHE_MOVES = 8;

/** Members of a sequence that move this much are called: a call costs nothing beside it, and parts of them need the same code. */
const LEAST_CALLED_BYTES = 1024;

function isUnrolled(e: NodeEmitter, node: LayoutNode): boolean {
  const most =
    e.outOfCache === undefined ? e.tuning.unrollMoves : Math.min(e.tuning.unrollMoves, MOST_OUT_OF_CACHE_MOVES);
  return unrolledMoves(node, e.widest, most) <= most;
}

/** All of a node, whose zero and first packed byte lie at `offsets`. */
export function emitNode(e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (node.sizeBytes === 0) return;
  if (node.kind === "stream" && nearRoundOf(e, node.child, node.strideBytes, node.count) !== undefined)
    return emitStream(e, node, offsets, limits);
  if (node.kind === "stream" && isPermuted(e, node)) return emitStream(e, node, offsets, limits);
  if (isUnrolled(e, node)) return emitUnrolled(e, node, offsets, limits);
  if (!isInlined(node)) return emitCall(e, node, offsets);
  switch (node.kind) {
    case "dense":
      return emitDense(e, node.lengthBytes, offsets, limits);
    case "stream":
      return emitStream(e, node, offsets, limits);
    case "blocks":
      return emitBlocks(e, node, offsets);
    case "sequence": {
      let p = offsets.p;
      for (const member of node.members) {
        const start = at(offsets.s + member.offsetBytes, p);
        emitNode(e, member.node, start, limitsInside(node, start, member.node.highBytes, limits));
        p += member.node.sizeBytes;
      }
    }
  }
}

/** All of a member of a sequence that has a routine of its own. */
export function emitMember(e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (node.kind === "dense" || node.sizeBytes < LEAST_CALLED_BYTES || isUnrolled(e, node))
    emitNode(e, node, offsets, limits);
  else emitCall(e, node, offsets);
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitCall(e: NodeEmitter, node: LayoutNode, offsets: Offsets): void {
  e.settle(offsets);
  e.emit(general.call_rel32, e.routine("whole", node));
  e.driftP += node.sizeBytes;
}
