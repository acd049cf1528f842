import type { LayoutNode } from "@stowage/ir";
import { assembledBlocks, emitAssembled } from "./assemble.js";
import { emitDense } from "./dense.js";
import { at, type Emitter, type Limits, type Place } from "./emitter.js";
import { emitIdle, idleBehind } from "./pace.js";

/** A node of few blocks, written out block by block. Returns the packed offset after it. */
export function emitUnrolled(e: Emitter, node: LayoutNode, place: Place, limits: Limits): void {
  const size = node.sizeBytes;
  if (size === 0) return;
  switch (node.kind) {
    case "dense":
      return emitDense(e, node.lengthBytes, place, limits);
    case "stream": {
      const group = assembledBlocks(e, node.child) ?? Infinity;
      let first = 0;
      for (; first + group <= node.count; first += group) {
        const start = at(place.s + first * node.strideBytes, place.p + first * node.child.sizeBytes);
        emitAssembled(e, node.child.sizeBytes, group, start, (block, offset) =>
          e.scatteredAt(start.s + block * node.strideBytes + offset),
        );
      }
      const idle = idleBehind(e, node);
      for (let i = first; i < node.count; i++) {
        emitUnrolled(e, node.child, at(place.s + i * node.strideBytes, place.p + i * node.child.sizeBytes), limits);
        emitIdle(e, idle);
      }
      return;
    }
    case "blocks": {
      let p = place.p;
      for (let i = 0; i < node.displacementsBytes.length; i++) {
        const length = node.blocklengths === 1 ? 1 : (node.blocklengths[i] as number);
        const start = place.s + (node.displacementsBytes[i] as number);
        if (node.child.kind === "dense" && node.strideBytes === node.child.lengthBytes) {
          emitDense(e, length * node.child.lengthBytes, at(start, p), limits);
        } else {
          for (let j = 0; j < length; j++) {
            emitUnrolled(e, node.child, at(start + j * node.strideBytes, p + j * node.child.sizeBytes), limits);
          }
        }
        p += length * node.child.sizeBytes;
      }
      return;
    }
    case "sequence": {
      let p = place.p;
      for (const member of node.members) {
        emitUnrolled(e, member.node, at(place.s + member.offsetBytes, p), limits);
        p += member.node.sizeBytes;
      }
    }
  }
}
