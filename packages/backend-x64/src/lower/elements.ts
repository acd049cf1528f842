import { general, mem, r8, r9, rax, rcx, rdx, type Label } from "@stowage/asm-x64";
import { stream, type Layout, type Stream } from "@stowage/ir";
import { LEAST_NON_TEMPORAL_BYTES } from "../options.js";
import { MOST_IMMEDIATE, type Emitter } from "./emitter.js";
import { emitUnlessOutOfCache, outOfCachePlansOf, type OutOfCachePlan } from "./out-of-cache-plans.js";

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): { readonly elements: Stream; readonly perElement: number } {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

/** Any part of rdx elements: rcx = first, r8 = length. */
export function emitElements(e: Emitter, layout: Layout, nonTemporalPartsBytes: number): void {
  const { elements, perElement } = elementsOf(layout);
  const [partial, end] = [e.asm.label(), e.asm.label()];
  e.emit(general.mov_rm64_r64, rax, rdx);
  e.multiply(rax, layout.sizeBytes);
  e.emit(general.cmp_rm64_r64, rax, r8);
  e.emit(general.jne_rel32, partial);
  e.emit(general.mov_rm64_r64, rcx, rdx);
  e.multiply(rcx, perElement);
  const outOfCache = { plans: outOfCachePlansOf(e, elements, perElement), elements, end };
  for (const plan of outOfCache.plans)
    emitOutOfCache(e, outOfCache, plan, "loop", plan.fullBytes ?? e.tuning.nonTemporalBytes);
  e.emit(general.call_rel32, e.routine("loop", elements));
  e.emit(general.jmp_rel32, end);
  e.asm.bind(partial);
  emitOutOfCacheParts(e, outOfCache, nonTemporalPartsBytes);
  emitPart(e);
  e.emit(general.call_rel32, e.routine("clip", elements));
  e.asm.bind(end);
}

/** All of rdx elements, in the caches. Returns the packed bytes from which a full pack is better out of cache. */
export function emitFullElements(e: Emitter, layout: Layout): number {
  const { elements, perElement } = elementsOf(layout);
  e.emit(general.mov_rm64_r64, rcx, rdx);
  e.multiply(rcx, perElement);
  e.emit(general.call_rel32, e.routine("loop", elements));
  const fromBytes = outOfCachePlansOf(e, elements, perElement).map(
    (plan) => plan.fullBytes ?? e.tuning.nonTemporalBytes,
  );
  return Math.min(Infinity, ...fromBytes);
}

/** Elements that have out-of-cache code, and where the program goes on after it. */
interface OutOfCacheElements {
  readonly plans: readonly OutOfCachePlan[];
  readonly elements: Stream;
  readonly end: Label;
}

/** The elements by a plan's out-of-cache code, where rax packed bytes are at least `least` and the target is aligned. */
function emitOutOfCache(
  e: Emitter,
  { elements, end }: OutOfCacheElements,
  plan: OutOfCachePlan,
  kind: "loop" | "clip",
  least: number,
): void {
  const cached = e.asm.label();
  emitUnlessOutOfCache(e, rax, least, plan.alignmentBytes, cached);
  if (kind === "clip") emitPart(e);
  e.outOfCache = plan.outOfCache;
  e.emit(general.call_rel32, e.routine(kind, elements));
  e.outOfCache = undefined;
  e.emit(general.sfence);
  e.emit(general.jmp_rel32, end);
  e.asm.bind(cached);
}

function emitOutOfCacheParts(e: Emitter, outOfCache: OutOfCacheElements, nonTemporalPartsBytes: number): void {
  for (const plan of outOfCache.plans) {
    const short = e.asm.label();
    const { partBytes, fullBytes } = leastOfParts(e, plan, nonTemporalPartsBytes);
    e.emit(general.cmp_rm64_imm32, r8, partBytes);
    e.emit(general.jb_rel32, short);
    emitOutOfCache(e, outOfCache, plan, "clip", fullBytes);
    e.asm.bind(short);
  }
}

/**
 * Least sizes of partial packs and of the full pack for a plan. Partial packs are non-temporal if they are as long as a
 * non-temporal full pack, as slices for threads are; partial unpacks if the full unpack is, since they write the same
 * memory. Shorter partial packs stay in the cache: the caller may send each from one buffer. A plan with a size of its own
 * applies it to partial packs too.
 */
function leastOfParts(
  { direction, tuning }: Emitter,
  plan: OutOfCachePlan,
  nonTemporalPartsBytes: number,
): { readonly partBytes: number; readonly fullBytes: number } {
  const least = tuning.nonTemporalBytes;
  if (plan.fullBytes !== undefined)
    return { partBytes: Math.min(LEAST_NON_TEMPORAL_BYTES, plan.fullBytes), fullBytes: plan.fullBytes };
  if (direction === "pack" || nonTemporalPartsBytes > MOST_IMMEDIATE) return { partBytes: least, fullBytes: least };
  return { partBytes: Math.min(LEAST_NON_TEMPORAL_BYTES, least), fullBytes: nonTemporalPartsBytes };
}

/** From first and length to what the clip routines take: r8 = where the part begins, r9 = where it ends. */
function emitPart(e: Emitter): void {
  e.emit(general.add_rm64_r64, e.packed, rcx);
  e.emit(general.lea, r9, mem(rcx, 0, r8));
  e.emit(general.mov_rm64_r64, r8, rcx);
}
