import {
  general,
  mem,
  r10,
  r13,
  r14,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
  type Label,
  type Register,
} from "@stowage/asm-x64";
import type { Layout } from "@stowage/ir";
import type { Emitter } from "../lower/emitter.js";
import type { LevelPlan } from "./copy-plan.js";

/** Children of one packed size, and the routine that moves any number of them. */
export interface LevelCode {
  readonly plan: LevelPlan;
  readonly loop: Label;
}

export interface RangeParts {
  readonly source: Layout;
  readonly target: Layout;
  /** The elements, and the children inside one of them. */
  readonly elements: LevelCode;
  readonly inner: LevelCode | undefined;
  /** The routine of emitThroughBuffer. */
  readonly through: Label;
}

const FRAME_BYTES = 32;
const END = mem(rsp, 0);
const FIRST = mem(rsp, 8);
const LAST = mem(rsp, 16);
/** The element that holds the range, where the children are inside one. */
const ELEMENT = mem(rsp, 24);

/**
 * Bytes [r13, r14) of the packed stream, from rbx to rbp: whole children by their routine, the parts of children before
 * and after them through the buffer. Where no element is whole, the children of the one that holds the range.
 */
export function emitRange(e: Emitter, parts: RangeParts): void {
  const [none, done] = [e.asm.label(), e.asm.label()];
  e.addTo(rsp, -FRAME_BYTES);
  emitWhole(e, parts, parts.elements, false, done);
  if (parts.inner !== undefined) {
    emitElement(e, parts.source.sizeBytes, none);
    emitWhole(e, parts, parts.inner, true, done);
  }
  e.asm.bind(none);
  e.emit(general.call_rel32, parts.through);
  e.asm.bind(done);
  e.addTo(rsp, FRAME_BYTES);
}

/** rax /= divisor. Clobbers rcx and rdx. */
function divide(e: Emitter, divisor: number): void {
  if (divisor === 1) return;
  e.set(rcx, divisor);
  e.set(rdx, 0);
  e.emit(general.div_rm64, rcx);
}

/** The number of the element that holds all of the range; to `none` where two do. */
function emitElement(e: Emitter, sizeBytes: number, none: Label): void {
  e.emit(general.mov_rm64_r64, rax, r13);
  divide(e, sizeBytes);
  e.emit(general.mov_rm64_r64, ELEMENT, rax);
  e.emit(general.lea, rax, mem(r14, -1));
  divide(e, sizeBytes);
  e.emit(general.cmp_r64_m64, rax, ELEMENT);
  e.emit(general.jne_rel32, none);
}

/** Where the range has whole children: all of it, then to `done`. */
function emitWhole(e: Emitter, parts: RangeParts, level: LevelCode, isInside: boolean, done: Label): void {
  const { source, target, through } = parts;
  const unit = level.plan.unitBytes;
  const [none, middle] = [e.asm.label(), e.asm.label()];
  /** register += what one element takes, as often as there are elements before the one. */
  const addElements = (register: Register, bytes: number): void => {
    if (!isInside) return;
    e.emit(general.mov_r64_rm64, rdx, ELEMENT);
    e.multiply(rdx, bytes);
    e.emit(general.add_rm64_r64, register, rdx);
  };
  e.emit(general.lea, rax, mem(r13, 0));
  addElements(rax, -source.sizeBytes);
  e.addTo(rax, unit - 1);
  divide(e, unit);
  e.emit(general.mov_rm64_r64, FIRST, rax);
  e.emit(general.mov_rm64_r64, r10, rax);
  e.emit(general.mov_rm64_r64, rax, r14);
  addElements(rax, -source.sizeBytes);
  divide(e, unit);
  e.emit(general.mov_rm64_r64, LAST, rax);
  e.emit(general.cmp_rm64_r64, r10, rax);
  e.emit(general.jae_rel32, none);
  // Up to the first whole child.
  e.emit(general.mov_rm64_r64, END, r14);
  e.emit(general.mov_rm64_r64, r14, r10);
  e.multiply(r14, unit);
  addElements(r14, source.sizeBytes);
  e.emit(general.cmp_rm64_r64, r13, r14);
  e.emit(general.jae_rel32, middle);
  e.emit(general.call_rel32, through);
  e.asm.bind(middle);
  for (const [register, base, strideBytes, { startBytes, extentBytes }] of [
    [rdi, rbx, level.plan.sourceBytes, source],
    [rsi, rbp, level.plan.targetBytes, target],
  ] as const) {
    e.emit(general.mov_r64_rm64, register, FIRST);
    e.multiply(register, strideBytes);
    e.emit(general.add_rm64_r64, register, base);
    e.addTo(register, startBytes);
    addElements(register, extentBytes);
  }
  e.emit(general.mov_r64_rm64, rcx, LAST);
  e.emit(general.mov_r64_rm64, rax, FIRST);
  e.emit(general.sub_rm64_r64, rcx, rax);
  e.emit(general.call_rel32, level.loop);
  // What is left of the last one.
  e.emit(general.mov_r64_rm64, r13, LAST);
  e.multiply(r13, unit);
  addElements(r13, source.sizeBytes);
  e.emit(general.mov_r64_rm64, r14, END);
  e.emit(general.cmp_rm64_r64, r13, r14);
  e.emit(general.jae_rel32, done);
  e.emit(general.call_rel32, through);
  e.emit(general.jmp_rel32, done);
  e.asm.bind(none);
}
