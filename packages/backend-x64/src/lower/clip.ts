import { general, mem, r10, r11, r8, r9, rax, rcx, rdx, rsp, type Label, type Register } from "@stowage/asm-x64";
import type { Blocks, LayoutNode, Sequence, Stream } from "@stowage/ir";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitRunsClip } from "./runs-clip.js";

/**
 * The routine of a part of a node: bytes [r8, r9) of its packed stream, r8 < r9; the scattered register stands on
 * the node's zero, the packed one where byte r8 goes. Moves the packed register to the end; keeps no other.
 *
 * It descends to the first byte and to the last one only: whole children in between go through the node's own loop.
 */
export function emitClip(e: Emitter, node: LayoutNode): void {
  e.reframe();
  switch (node.kind) {
    case "dense":
      return emitDenseClip(e);
    case "stream":
      return emitRepeatedClip(e, node, streamParts(e, node));
    case "blocks":
      if (node.blocklengths !== 1) return emitRunsClip(e, node);
      return emitRepeatedClip(e, node, blockParts(e, node));
    case "sequence":
      return emitSequenceClip(e, node);
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

/** How children of equal size are reached. */
interface Parts {
  /** scattered register += offset of child number `index`. Clobbers index and r11. */
  seek(index: Register): void;
  /** rcx whole children from number rax on; the scattered register stands on the node's zero. */
  callWhole(): void;
}

const streamParts = (e: Emitter, node: Stream): Parts => {
  const seek = (index: Register): void => {
    e.multiply(index, node.strideBytes);
    e.emit(general.add_rm64_r64, e.scattered, index);
  };
  return {
    seek,
    callWhole() {
      seek(rax);
      e.emit(general.call_rel32, e.routine("loop", node));
    },
  };
};

const blockParts = (e: Emitter, node: Blocks): Parts => {
  const table = e.tables.add(e.asm, node.displacementsBytes);
  return {
    seek(index) {
      emitTableAddress(e, r11, table, index);
      emitEntry(e, index, table, r11, 0);
      e.emit(general.add_rm64_r64, e.scattered, index);
    },
    callWhole() {
      e.emit(general.mov_rm64_r64, r8, rax);
      e.emit(general.call_rel32, e.routine("loop", node));
    },
  };
};

/** rax = register / size, rdx = its rest. Clobbers rcx. */
function emitDivide(e: Emitter, register: Register, size: number): void {
  e.emit(general.mov_rm64_r64, rax, register);
  e.set(rcx, size);
  e.set(rdx, 0);
  e.emit(general.div_rm64, rcx);
}

function emitRepeatedClip(e: Emitter, node: Stream | Blocks, parts: Parts): void {
  const size = node.child.sizeBytes;
  const clipChild = e.routine("clip", node.child);
  const several = e.asm.label();
  emitDivide(e, r8, size);
  e.emit(general.mov_rm64_r64, r10, rax);
  e.emit(general.mov_rm64_r64, r8, rdx);
  emitDivide(e, r9, size);
  e.emit(general.cmp_rm64_r64, r10, rax);
  e.emit(general.jne_rel32, several);
  // Both ends lie in one child.
  parts.seek(r10);
  e.emit(general.mov_rm64_r64, r9, rdx);
  e.emit(general.jmp_rel32, clipChild);
  e.asm.bind(several);
  emitSeveral(e, size, clipChild, parts);
}

const FIRST = mem(rsp, 0);
const ZERO = mem(rsp, 8);
const LAST = mem(rsp, 16);
const REST = mem(rsp, 24);

/** r10 = first child, r8 = where in it; rax = last child, rdx = where in it. */
function emitSeveral(e: Emitter, size: number, clipChild: Label, parts: Parts): void {
  const [middle, tail, done] = [e.asm.label(), e.asm.label(), e.asm.label()];
  for (const register of [rdx, rax, e.scattered, r10]) e.emit(general.push_r64, register);
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.je_rel32, middle);
  parts.seek(r10);
  e.set(r9, size);
  e.emit(general.call_rel32, clipChild);
  e.emit(general.inc_rm64, FIRST);

  e.asm.bind(middle);
  e.emit(general.mov_r64_rm64, e.scattered, ZERO);
  e.emit(general.mov_r64_rm64, rax, FIRST);
  e.emit(general.mov_r64_rm64, rcx, LAST);
  e.emit(general.sub_rm64_r64, rcx, rax);
  e.emit(general.je_rel32, tail);
  parts.callWhole();

  e.asm.bind(tail);
  e.emit(general.mov_r64_rm64, r9, REST);
  e.emit(general.test_rm64_r64, r9, r9);
  e.emit(general.je_rel32, done);
  e.emit(general.mov_r64_rm64, e.scattered, ZERO);
  e.emit(general.mov_r64_rm64, rax, LAST);
  parts.seek(rax);
  e.set(r8, 0);
  e.emit(general.call_rel32, clipChild);

  e.asm.bind(done);
  e.emit(general.lea, rsp, mem(rsp, 32));
  e.emit(general.ret);
}

/** Members one by one: each that the range meets, whole or clipped. */
function emitSequenceClip(e: Emitter, node: Sequence): void {
  const done = e.asm.label();
  let first = 0;
  for (const { node: member, offsetBytes } of node.members) {
    if (member.sizeBytes === 0) continue;
    emitMemberClip(e, member, offsetBytes, first, done);
    first += member.sizeBytes;
  }
  e.asm.bind(done);
  e.emit(general.ret);
}

function emitMemberClip(e: Emitter, member: LayoutNode, offsetBytes: number, first: number, done: Label): void {
  const next = e.asm.label();
  const inside = e.asm.label();
  e.set(rax, first + member.sizeBytes);
  e.emit(general.cmp_rm64_r64, r8, rax);
  e.emit(general.jae_rel32, next);
  e.set(rcx, first);
  e.emit(general.cmp_rm64_r64, r9, rcx);
  e.emit(general.jbe_rel32, done);
  for (const register of [r8, r9, e.scattered]) e.emit(general.push_r64, register);
  e.addTo(e.scattered, offsetBytes);
  // The part of the range that is this member's, counted from its own first byte.
  e.emit(general.cmp_rm64_r64, r9, rax);
  e.emit(general.cmova_r64_rm64, r9, rax);
  e.emit(general.sub_rm64_r64, r9, rcx);
  e.emit(general.sub_rm64_r64, r8, rcx);
  e.emit(general.jae_rel32, inside);
  e.set(r8, 0);
  e.asm.bind(inside);
  e.emit(general.call_rel32, e.routine("clip", member));
  for (const register of [e.scattered, r9, r8]) e.emit(general.pop_r64, register);
  e.asm.bind(next);
}
