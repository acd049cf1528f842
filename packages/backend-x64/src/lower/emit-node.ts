import { general } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { emitBlocks } from "./blocks.js";
import { emitDense } from "./dense.js";
import { at, type Limits, type Offsets } from "./emitter.js";
import type { NodeEmitter } from "./node-emitter.js";
import { limitsInside } from "./limits.js";
import { emitStream } from "./stream.js";
import { emitUnrolled } from "./unrolled.js";

/** All of a node, whose zero and first packed byte lie at `offsets`. */
export function emitNode(e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (node.sizeBytes === 0) return;
  const way = e.plan.node(node).plan.what;
  if (way === "unrolled") return emitUnrolled(e, node, offsets, limits);
  if (way === "called") return emitCall(e, node, offsets);
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
        emitNode(e, member.node, start, limitsInside(e, node, start, member.node.highBytes, limits));
        p += member.node.sizeBytes;
      }
    }
  }
}

/** All of a member of a sequence that has a routine of its own. */
export function emitMember(e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (e.plan.isCalledMember(node)) emitCall(e, node, offsets);
  else emitNode(e, node, offsets, limits);
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitCall(e: NodeEmitter, node: LayoutNode, offsets: Offsets): void {
  e.settle(offsets);
  e.emit(general.call_rel32, e.routine("whole", node));
  e.pointAt(at(offsets.s, offsets.p + node.sizeBytes));
}
