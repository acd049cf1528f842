import { general, mem, r10, r11, r8, r9, rax, rcx, rdx, type Assembler, type Label } from "@stowage/asm-x64";
import { directionOf, scatteredLayout, type Move } from "@stowage/backend-api";
import { stream, type Layout, type LayoutNode, type Stream } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { LEAST_NON_TEMPORAL_BYTES, type Tuning } from "../options.js";
import { emitBlocksRoutine } from "./blocks.js";
import { emitClip } from "./clip.js";
import { emitSharedClip } from "./clip-shared.js";
import { emitCopyRoutines } from "./copy-bytes.js";
import { emitMember, emitNode } from "./emit-node.js";
import { withEvenBlocks } from "./even-blocks.js";
import { at, MOST_IMMEDIATE, type Emitter } from "./emitter.js";
import { isaOf } from "./isa.js";
import { NodeEmitter } from "./node-emitter.js";
import { limitsInside } from "./readable-gaps.js";
import type { Routine } from "./routines.js";
import { emitRunsFrom, emitRunsRoutine } from "./runs.js";
import { emitStreamRoutine } from "./stream.js";
import {
  alignmentOfChildren,
  emitUnlessOutOfCache,
  outOfCachePlansOf,
  type OutOfCachePlan,
} from "./out-of-cache-plans.js";
import type { OutOfCache } from "./out-of-cache.js";

export interface Program {
  /** Code and its tables, entered at byte 0 with (source, target, count, first, length); System V AMD64 ABI. */
  readonly code: Uint8Array;
  /** What wrote it, for listing(); it knows its lines only where `listing` was asked for. */
  readonly assembler: Assembler;
}

export interface ProgramOptions {
  readonly listing?: boolean;
  /** What divides every address and every length of both sides; 1 where nothing is known. */
  readonly alignment?: number;
  /** Packed bytes of a full pack from which its parts are unpacked by non-temporal stores. Default: `nonTemporalBytes`. */
  readonly nonTemporalPartsBytes?: number;
}

/** Machine code for one pack or unpack. */
export function program(move: Move, level: FeatureLevel, tuning: Tuning, options: ProgramOptions = {}): Program {
  const nonTemporalPartsBytes = options.nonTemporalPartsBytes ?? tuning.nonTemporalBytes;
  return written(move, level, tuning, options, (e, layout) => {
    if (isOneRun(layout)) emitDenseEntry(e);
    else emitElements(e, layout, nonTemporalPartsBytes);
  });
}

export interface FullProgram {
  readonly code: Uint8Array;
  /** Packed bytes from which the whole program has other code for a full pack. */
  readonly belowBytes: number;
}

/**
 * The part of the same program that packs all of `count` elements within the caches: a third of it, and most of what is ever
 * called. Undefined where it is no less: where the elements are one run.
 */
export function fullProgram(
  move: Move,
  level: FeatureLevel,
  tuning: Tuning,
  options: ProgramOptions = {},
): FullProgram | undefined {
  if (isOneRun(scatteredLayout(move))) return undefined;
  let belowBytes = Infinity;
  const { code } = written(move, level, tuning, options, (e, layout) => {
    belowBytes = emitFullElements(e, layout);
  });
  return { code, belowBytes };
}

const isOneRun = ({ root, extentBytes, sizeBytes }: Layout): boolean =>
  root.kind === "dense" && extentBytes === sizeBytes;

/** A program of which `entry` writes what begins once both registers point at the elements. */
function written(
  move: Move,
  level: FeatureLevel,
  tuning: Tuning,
  options: ProgramOptions,
  entry: (e: Emitter, layout: Layout) => void,
): Program {
  const direction = directionOf(move) === "unpack" ? "unpack" : "pack";
  const e = new NodeEmitter(emitNode, isaOf(level, options.alignment), tuning, direction, options.listing === true);
  const constants = e.parts.hasMasks ? emitAfterConstants(e) : undefined;
  emitEntry(e, withEvenBlocks(scatteredLayout(move)), entry);
  return { code: emitRest(e, constants), assembler: e.asm };
}

/** Every routine that was called for so far, the loads of constants, and the tables; all code. */
export function emitRest(e: NodeEmitter, constants: (() => void) | undefined): Uint8Array {
  for (let routine = e.routines.next(); routine !== undefined; routine = e.routines.next()) emitRoutine(e, routine);
  for (const [kind, label] of e.routines.clips) emitSharedClip(e, kind, label);
  if (e.routines.calledCopies !== undefined) emitCopyRoutines(e, e.routines.calledCopies);
  constants?.();
  e.tables.write(e.asm);
  return e.asm.finish();
}

/** The program proper begins once its constants are in their registers; which they are is known at its end. */
export function emitAfterConstants(e: Emitter): () => void {
  const [load, begin] = [e.asm.label(), e.asm.label()];
  e.emit(general.jmp_rel32, load);
  e.asm.bind(begin);
  return () => {
    e.asm.bind(load);
    e.constants.emitLoads();
    e.emit(general.jmp_rel32, begin);
  };
}

/** rdx = count, rcx = first, r8 = length. */
function emitEntry(e: Emitter, layout: Layout, entry: (e: Emitter, layout: Layout) => void): void {
  const done = e.asm.label();
  if (layout.sizeBytes > 0) {
    e.emit(general.test_rm64_r64, r8, r8);
    e.emit(general.je_rel32, done);
    e.addTo(e.scattered, layout.startBytes);
    entry(e, layout);
    e.isa.leave(e.asm);
  }
  e.asm.bind(done);
  e.emit(general.ret);
}

function emitDenseEntry(e: Emitter): void {
  const [from, to] = e.direction === "pack" ? [e.scattered, e.packed] : [e.packed, e.scattered];
  e.emit(general.lea, r10, mem(from, 0, rcx));
  e.emit(general.lea, r11, mem(to, 0, rcx));
  e.emit(general.mov_rm64_r64, rcx, r8);
  e.emit(general.call_rel32, e.copyBytes());
}

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): { readonly elements: Stream; readonly perElement: number } {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

function emitElements(e: Emitter, layout: Layout, nonTemporalPartsBytes: number): void {
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
function emitFullElements(e: Emitter, layout: Layout): number {
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

function emitRoutine(e: NodeEmitter, { kind, node, label, outOfCache }: Routine): void {
  e.asm.bind(label);
  e.outOfCache = outOfCache;
  e.reframe();
  switch (kind) {
    case "clip":
      return emitClip(e, node);
    case "loop":
      return emitLoop(e, node);
    case "whole":
      return emitWhole(e, node);
    case "runs":
      if (node.kind !== "blocks") throw new TypeError(`runs of a node: expected blocks, got ${node.kind}`);
      return emitRunsFrom(e, node);
  }
}

function emitLoop(e: NodeEmitter, node: LayoutNode): void {
  if (e.outOfCache !== undefined) emitUnlessAligned(e, e.outOfCache, node);
  if (node.kind === "stream") return emitStreamRoutine(e, node);
  if (node.kind === "blocks") return emitBlocksRoutine(e, node);
  throw new TypeError(`loop of a node: expected a stream or blocks, got ${node.kind}`);
}

/** A partial pack may begin at any child, whose target may not be aligned for non-temporal stores. */
function emitUnlessAligned(e: Emitter, outOfCache: OutOfCache, node: LayoutNode): void {
  const alignment = alignmentOfChildren(outOfCache);
  if (alignment === 1) return;
  e.emit(general.test_rm64_imm32, e.target, alignment - 1);
  e.outOfCache = undefined;
  e.emit(general.jne_rel32, e.routine("loop", node));
  e.outOfCache = outOfCache;
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitWhole(e: NodeEmitter, node: LayoutNode): void {
  switch (node.kind) {
    case "dense":
      emitNode(e, node, at(0, 0), at(node.highBytes, node.sizeBytes));
      e.settle(at(0, node.sizeBytes));
      e.emit(general.ret);
      return;
    case "stream":
      return emitCountedWhole(e, node.count, e.routine("loop", node));
    case "blocks":
      if (node.blocklengths !== 1) return emitRunsRoutine(e, node);
      e.set(r8, 0);
      return emitCountedWhole(e, node.displacementsBytes.length, e.routine("loop", node));
    case "sequence": {
      let p = 0;
      for (const member of node.members) {
        const start = at(member.offsetBytes, p);
        const limits = limitsInside(node, start, member.node.highBytes, at(node.highBytes, node.sizeBytes));
        emitMember(e, member.node, start, limits);
        p += member.node.sizeBytes;
      }
      e.settle(at(0, node.sizeBytes));
      e.emit(general.ret);
    }
  }
}

function emitCountedWhole(e: Emitter, count: number, loop: Label): void {
  e.emit(general.push_r64, e.scattered);
  e.set(rcx, count);
  e.emit(general.call_rel32, loop);
  e.emit(general.pop_r64, e.scattered);
  e.emit(general.ret);
}
