import {
  general,
  mem,
  r10,
  r11,
  r8,
  r9,
  rax,
  rcx,
  rdx,
  rsp,
  type Fragment,
  type Label,
  type Register,
} from "@stowage/asm-x64";
import { Emitter } from "./emitter.js";
import type { ClipKind } from "./routines.js";

/** Such code, which gets the address of the node's words (clip.ts) in r11; bytes [r8, r9) as every clip does. */
export function emitSharedClip(e: Emitter, kind: ClipKind, label: Label): void {
  e.asm.bind(label);
  e.asm.splice(e.assembly.session.clip(e.direction, kind, () => assemble(e, kind)));
}

/** It refers to nothing outside but through the words, so its bytes are the same in every program of a direction. */
function assemble({ assembly, plan }: Emitter, kind: ClipKind): Fragment {
  const alone = new Emitter(assembly.apart("sse2"), plan);
  emitCode(alone, kind);
  return { code: alone.asm.finish(), assembler: alone.asm };
}

function emitCode(e: Emitter, kind: ClipKind): void {
  if (kind === "sequence") emitSequence(e);
  else emitRepeated(e, kind);
}

const SIZE = mem(r11, 0);
const REACH = 8;
const CHILD = 16;
const WHOLE = 24;

/** rax = the routine that a word of the node names: words hold distances from where they lie. */
function emitRoutineAddress(e: Emitter, base: Register, disp: number): void {
  e.emit(general.lea, rax, mem(base, disp));
  e.emit(general.add_r64_rm64, rax, mem(base, disp));
}

/** scattered register += offset of child number `index`. Clobbers index and rdx. */
function emitSeek(e: Emitter, kind: "stream" | "blocks4" | "blocks8", index: Register): void {
  if (kind === "stream") e.emit(general.imul_r64_rm64, index, mem(r11, REACH));
  else {
    e.emit(general.lea, rdx, mem(r11, REACH));
    e.emit(general.add_r64_rm64, rdx, mem(r11, REACH));
    if (kind === "blocks4") e.emit(general.movsxd_r64_m32, index, mem(rdx, 0, index, 4));
    else e.emit(general.mov_r64_rm64, index, mem(rdx, 0, index, 8));
  }
  e.emit(general.add_rm64_r64, e.scattered, index);
}

/** rax = register / size of a child, rdx = its rest. */
function emitDivide(e: Emitter, register: Register): void {
  e.emit(general.mov_rm64_r64, rax, register);
  e.set(rdx, 0);
  e.emit(general.div_rm64, SIZE);
}

/** Children of equal size: it descends to the first byte and to the last one only; whole ones go through the loop. */
function emitRepeated(e: Emitter, kind: "stream" | "blocks4" | "blocks8"): void {
  const several = e.asm.label();
  emitDivide(e, r8);
  e.emit(general.mov_rm64_r64, r10, rax);
  e.emit(general.mov_rm64_r64, r8, rdx);
  emitDivide(e, r9);
  e.emit(general.cmp_rm64_r64, r10, rax);
  e.emit(general.jne_rel32, several);
  // Both ends lie in one child.
  e.emit(general.mov_rm64_r64, r9, rdx);
  emitSeek(e, kind, r10);
  emitRoutineAddress(e, r11, CHILD);
  e.assembly.emitIndirect(general.jmp_rm64, rax);
  e.asm.bind(several);
  emitSeveral(e, kind);
}

const WORDS = mem(rsp, 0);
const FIRST = mem(rsp, 8);
const ZERO = mem(rsp, 16);
const LAST = mem(rsp, 24);
const REST = mem(rsp, 32);

/** r10 = first child, r8 = where in it; rax = last child, rdx = where in it. */
function emitSeveral(e: Emitter, kind: "stream" | "blocks4" | "blocks8"): void {
  const [middle, tail, done] = [e.asm.label(), e.asm.label(), e.asm.label()];
  for (const register of [rdx, rax, e.scattered, r10, r11]) e.emit(general.push_r64, register);
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.je_rel32, middle);
  emitSeek(e, kind, r10);
  e.emit(general.mov_r64_rm64, r9, SIZE);
  emitRoutineAddress(e, r11, CHILD);
  e.assembly.emitIndirect(general.call_rm64, rax);
  e.emit(general.inc_rm64, FIRST);

  e.asm.bind(middle);
  e.emit(general.mov_r64_rm64, r11, WORDS);
  e.emit(general.mov_r64_rm64, e.scattered, ZERO);
  e.emit(general.mov_r64_rm64, r8, FIRST);
  e.emit(general.mov_r64_rm64, rcx, LAST);
  e.emit(general.sub_rm64_r64, rcx, r8);
  e.emit(general.je_rel32, tail);
  // Loops over a stream start at the first child, those over a table at the table's zero.
  if (kind === "stream") {
    e.emit(general.mov_rm64_r64, rax, r8);
    emitSeek(e, kind, rax);
  }
  emitRoutineAddress(e, r11, WHOLE);
  e.assembly.emitIndirect(general.call_rm64, rax);

  e.asm.bind(tail);
  e.emit(general.mov_r64_rm64, r9, REST);
  e.emit(general.test_rm64_r64, r9, r9);
  e.emit(general.je_rel32, done);
  e.emit(general.mov_r64_rm64, r11, WORDS);
  e.emit(general.mov_r64_rm64, e.scattered, ZERO);
  e.emit(general.mov_r64_rm64, rax, LAST);
  emitSeek(e, kind, rax);
  e.set(r8, 0);
  emitRoutineAddress(e, r11, CHILD);
  e.assembly.emitIndirect(general.call_rm64, rax);

  e.asm.bind(done);
  e.emit(general.lea, rsp, mem(rsp, 40));
  e.emit(general.ret);
}

const MEMBER_BYTES = 32;

/** Members one by one: each that the range meets, whole or clipped. rdx walks their words, rcx counts them. */
function emitSequence(e: Emitter): void {
  const [next, inside, done] = [e.asm.label(), e.asm.label(), e.asm.label()];
  e.emit(general.mov_r64_rm64, rcx, mem(r11));
  e.emit(general.lea, rdx, mem(r11, 8));
  const top = e.asm.here();
  e.emit(general.mov_r64_rm64, rax, mem(rdx));
  e.emit(general.cmp_rm64_r64, r8, rax);
  e.emit(general.jae_rel32, next);
  e.emit(general.mov_r64_rm64, r10, mem(rdx, 8));
  e.emit(general.cmp_rm64_r64, r9, r10);
  e.emit(general.jbe_rel32, done);
  const kept = [rcx, rdx, r8, r9, e.scattered];
  for (const register of kept) e.emit(general.push_r64, register);
  e.emit(general.add_r64_rm64, e.scattered, mem(rdx, 16));
  // The part of the range that is this member's, counted from its own first byte.
  e.emit(general.cmp_rm64_r64, r9, rax);
  e.emit(general.cmova_r64_rm64, r9, rax);
  e.emit(general.sub_rm64_r64, r9, r10);
  e.emit(general.sub_rm64_r64, r8, r10);
  e.emit(general.jae_rel32, inside);
  e.set(r8, 0);
  e.asm.bind(inside);
  emitRoutineAddress(e, rdx, 24);
  e.assembly.emitIndirect(general.call_rm64, rax);
  for (const register of [...kept].reverse()) e.emit(general.pop_r64, register);
  e.asm.bind(next);
  e.addTo(rdx, MEMBER_BYTES);
  e.emit(general.dec_rm64, rcx);
  e.emit(general.jne_rel32, top);
  e.asm.bind(done);
  e.emit(general.ret);
}
