import { general, mem, r8, r9, rax, rcx, rdx, type Label } from "@stowage/asm-x64";
import type { LoopPlan, OutOfCacheMode } from "../loops/loop-plan.js";
import type { Emitter } from "./emitter.js";
import { emitUnlessOutOfCache } from "./out-of-cache-guard.js";

/** Any part of rdx elements: rcx = first, r8 = length. */
export function emitElements(e: Emitter, plan: LoopPlan): void {
  const { layout, elements, perElement, outOfCache } = plan;
  const [partial, end] = [e.asm.label(), e.asm.label()];
  e.emit(general.mov_rm64_r64, rax, rdx);
  e.multiply(rax, layout.sizeBytes);
  e.emit(general.cmp_rm64_r64, rax, r8);
  e.emit(general.jne_rel32, partial);
  e.emit(general.mov_rm64_r64, rcx, rdx);
  e.multiply(rcx, perElement);
  for (const mode of outOfCache) emitOutOfCache(e, plan, mode, "loop", mode.fullBytes, end);
  e.emit(general.call_rel32, e.routine("loop", elements));
  e.emit(general.jmp_rel32, end);
  e.asm.bind(partial);
  for (const mode of outOfCache) emitOutOfCacheParts(e, plan, mode, end);
  emitPart(e);
  e.emit(general.call_rel32, e.routine("clip", elements));
  e.asm.bind(end);
}

/** All of rdx elements, in the caches. */
export function emitFullElements(e: Emitter, { elements, perElement }: LoopPlan): void {
  e.emit(general.mov_rm64_r64, rcx, rdx);
  e.multiply(rcx, perElement);
  e.emit(general.call_rel32, e.routine("loop", elements));
}

/** The elements out of cache, where rax packed bytes are at least `least` and the target is aligned; then to `end`. */
function emitOutOfCache(
  e: Emitter,
  { elements }: LoopPlan,
  { plan, alignmentBytes }: OutOfCacheMode,
  kind: "loop" | "clip",
  least: number,
  end: Label,
): void {
  const cached = e.asm.label();
  emitUnlessOutOfCache(e, rax, least, alignmentBytes, cached);
  if (kind === "clip") emitPart(e);
  e.emit(general.call_rel32, e.routine(kind, elements, plan));
  e.emit(general.sfence);
  e.emit(general.jmp_rel32, end);
  e.asm.bind(cached);
}

function emitOutOfCacheParts(e: Emitter, plan: LoopPlan, mode: OutOfCacheMode, end: Label): void {
  const { partBytes, fullBytes } = mode.parts;
  const short = e.asm.label();
  if (partBytes > 0) {
    e.emit(general.cmp_rm64_imm32, r8, partBytes);
    e.emit(general.jb_rel32, short);
  }
  emitOutOfCache(e, plan, mode, "clip", fullBytes, end);
  e.asm.bind(short);
}

/** From first and length to what the clip routines take: r8 = where the part begins, r9 = where it ends. */
function emitPart(e: Emitter): void {
  e.emit(general.add_rm64_r64, e.packed, rcx);
  e.emit(general.lea, r9, mem(rcx, 0, r8));
  e.emit(general.mov_rm64_r64, r8, rcx);
}
