import type { LayoutNode } from "@stowage/ir";
import { emitMergedStream } from "./merged-stores.js";
import { emitDense } from "./dense.js";
import { at, type Emitter, type Limits, type Offsets } from "./emitter.js";
import { limitsInside } from "./limits.js";
import { emitNops } from "./nops.js";

/** A node of few blocks, written out block by block. Returns the packed offset after it. */
export function emitUnrolled(e: Emitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  const size = node.sizeBytes;
  if (size === 0) return;
  switch (node.kind) {
    case "dense":
      return emitDense(e, node.lengthBytes, offsets, limits);
    case "stream": {
      const { together, nops } = e.plan.unrolled(node);
      const first = together === undefined ? 0 : node.count - (node.count % together);
      if (together !== undefined) emitMergedStream(e, node, { children: first, together }, offsets);
      for (let i = first; i < node.count; i++) {
        const start = at(offsets.s + i * node.strideBytes, offsets.p + i * node.child.sizeBytes);
        emitUnrolled(e, node.child, start, limitsInside(e, node, start, node.child.highBytes, limits));
        emitNops(e, nops);
      }
      return;
    }
    case "blocks": {
      let p = offsets.p;
      for (let i = 0; i < node.displacementsBytes.length; i++) {
        const length = node.blocklengths === 1 ? 1 : (node.blocklengths[i] as number);
        const start = offsets.s + (node.displacementsBytes[i] as number);
        if (node.child.kind === "dense" && node.strideBytes === node.child.lengthBytes) {
          const bytes = length * node.child.lengthBytes;
          emitDense(e, bytes, at(start, p), limitsInside(e, node, at(start, p), bytes, limits));
        } else {
          for (let j = 0; j < length; j++) {
            const copy = at(start + j * node.strideBytes, p + j * node.child.sizeBytes);
            emitUnrolled(e, node.child, copy, limitsInside(e, node, copy, node.child.highBytes, limits));
          }
        }
        p += length * node.child.sizeBytes;
      }
      return;
    }
    case "sequence": {
      let p = offsets.p;
      for (const member of node.members) {
        const start = at(offsets.s + member.offsetBytes, p);
        emitUnrolled(e, member.node, start, limitsInside(e, node, start, member.node.highBytes, limits));
        p += member.node.sizeBytes;
      }
    }
  }
}
