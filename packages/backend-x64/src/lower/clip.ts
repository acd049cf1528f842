import { general, mem, r10, r11, r8, r9, rcx, rip } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import type { Emitter } from "./emitter.js";
import type { ClipKind } from "./routines.js";
import { emitRunsClip } from "./runs-clip.js";
import type { Word } from "./tables.js";

/**
 * The routine of a part of a node: bytes [r8, r9) of its packed stream, r8 < r9; the scattered register stands on
 * the node's zero, the packed one where byte r8 goes. Moves the packed register to the end; keeps no other.
 *
 * What differs from node to node is data, in words behind the code; how it is walked is the same for all of a kind
 * and written once (clip-shared.ts).
 */
export function emitClip(e: Emitter, node: LayoutNode): void {
  e.reframe();
  switch (node.kind) {
    case "dense":
      return emitDenseClip(e);
    case "stream":
      return emitShared(e, "stream", repeatedWords(e, node, node.strideBytes));
    case "blocks": {
      if (node.blocklengths !== 1) return emitRunsClip(e, node);
      const { label, entryBytes } = e.tables.add(e.asm, node.displacementsBytes);
      return emitShared(e, entryBytes === 4 ? "blocks4" : "blocks8", repeatedWords(e, node, label));
    }
    case "sequence":
      return emitShared(e, "sequence", memberWords(e, node));
  }
}

function emitDenseClip(e: Emitter): void {
  const [scattered, packed] = e.direction === "pack" ? [r10, r11] : [r11, r10];
  e.emit(general.lea, scattered, mem(e.scattered, 0, r8));
  e.emit(general.mov_rm64_r64, packed, e.packed);
  e.emit(general.mov_rm64_r64, rcx, r9);
  e.emit(general.sub_rm64_r64, rcx, r8);
  e.emit(general.add_rm64_r64, e.packed, rcx);
  e.emit(general.jmp_rel32, e.copyBytes());
}

function emitShared(e: Emitter, kind: ClipKind, words: readonly Word[]): void {
  e.emit(general.lea, r11, rip(e.tables.addWords(e.asm, words)));
  e.emit(general.jmp_rel32, e.routines.clip(kind));
}

/** Size of a child, how children are reached, the routines of a part of one and of whole ones. */
const repeatedWords = (
  e: Emitter,
  node: Extract<LayoutNode, { kind: "stream" | "blocks" }>,
  reach: Word,
): readonly Word[] => [node.child.sizeBytes, reach, e.routine("clip", node.child), e.routine("loop", node)];

/** How many members, and of each: the packed byte after it, its first one, its offset, the routine of a part of it. */
function memberWords(e: Emitter, node: Extract<LayoutNode, { kind: "sequence" }>): readonly Word[] {
  const members = node.members.filter((member) => member.node.sizeBytes > 0);
  let first = 0;
  const words = members.map(({ node: member, offsetBytes }): readonly Word[] => {
    const start = first;
    first += member.sizeBytes;
    return [first, start, offsetBytes, e.routine("clip", member)];
  });
  return [members.length, ...words.flat()];
}
