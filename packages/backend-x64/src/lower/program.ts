import { general, mem, r10, r11, r8, r9, rax, rcx, rdx, type Assembler, type Label } from "@stowage/asm-x64";
import { directionOf, scatteredLayout, type Move } from "@stowage/backend-api";
import { stream, type Layout, type LayoutNode, type Stream } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { LEAST_STREAMED_BYTES, type Tuning } from "../options.js";
import { emitBlocksRoutine } from "./blocks.js";
import { emitClip } from "./clip.js";
import { emitSharedClip } from "./clip-shared.js";
import { emitCopyRoutines } from "./copy-bytes.js";
import { emitMember, emitNode } from "./emit-node.js";
import { withEvenBlocks } from "./even-blocks.js";
import { at, Emitter, MOST_IMMEDIATE, type Routine } from "./emitter.js";
import { isaOf } from "./isa.js";
import { emitRunsFrom, emitRunsRoutine } from "./runs.js";
import { emitStreamRoutine } from "./stream.js";
import {
  alignmentOfChildren,
  emitUnlessStreamed,
  streamingPlansOf,
  type Streaming,
  type StreamingPlan,
} from "./streaming.js";

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
  /** Packed bytes of a whole from which parts of it are unpacked past the cache; the streaming size where nothing is said. */
  readonly streamedPartsBytes?: number;
}

/** Machine code for one pack or unpack. */
export function program(move: Move, level: FeatureLevel, tuning: Tuning, options: ProgramOptions = {}): Program {
  const direction = directionOf(move) === "unpack" ? "unpack" : "pack";
  const e = new Emitter(isaOf(level, options.alignment), tuning, direction, options.listing === true);
  const constants = e.masks ? emitAfterConstants(e) : undefined;
  emitEntry(e, withEvenBlocks(scatteredLayout(move)), options.streamedPartsBytes ?? tuning.streamingBytes);
  for (let routine = e.nextRoutine(); routine !== undefined; routine = e.nextRoutine()) emitRoutine(e, routine);
  for (const [kind, label] of e.sharedClips) emitSharedClip(e, kind, label);
  if (e.copyRoutines !== undefined) emitCopyRoutines(e, e.copyRoutines);
  constants?.();
  e.tables.write(e.asm);
  return { code: e.asm.finish(), assembler: e.asm };
}

/** The program proper begins once its constants are in their registers; which they are is known at its end. */
function emitAfterConstants(e: Emitter): () => void {
  const [load, begin] = [e.asm.label(), e.asm.label()];
  e.emit(general.jmp_rel32, load);
  e.asm.bind(begin);
  return () => {
    e.asm.bind(load);
    e.constants.emitLoads(e);
    e.emit(general.jmp_rel32, begin);
  };
}

/** rdx = count, rcx = first, r8 = length. */
function emitEntry(e: Emitter, layout: Layout, streamedPartsBytes: number): void {
  const done = e.asm.label();
  if (layout.sizeBytes > 0) {
    e.emit(general.test_rm64_r64, r8, r8);
    e.emit(general.je_rel32, done);
    e.addTo(e.scattered, layout.startBytes);
    if (layout.root.kind === "dense" && layout.extentBytes === layout.sizeBytes) emitDenseEntry(e);
    else emitElements(e, layout, streamedPartsBytes);
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

function emitElements(e: Emitter, layout: Layout, streamedPartsBytes: number): void {
  const { elements, perElement } = elementsOf(layout);
  const [partial, end] = [e.asm.label(), e.asm.label()];
  e.emit(general.mov_rm64_r64, rax, rdx);
  e.multiply(rax, layout.sizeBytes);
  e.emit(general.cmp_rm64_r64, rax, r8);
  e.emit(general.jne_rel32, partial);
  e.emit(general.mov_rm64_r64, rcx, rdx);
  e.multiply(rcx, perElement);
  const streamed = { plans: streamingPlansOf(e, elements, perElement), elements, end };
  for (const plan of streamed.plans)
    emitStreamed(e, streamed, plan, "loop", plan.wholeBytes ?? e.tuning.streamingBytes);
  e.emit(general.call_rel32, e.routine("loop", elements));
  e.emit(general.jmp_rel32, end);
  e.asm.bind(partial);
  emitStreamedParts(e, streamed, streamedPartsBytes);
  emitPart(e);
  e.emit(general.call_rel32, e.routine("clip", elements));
  e.asm.bind(end);
}

/** Elements that may be stored past the cache, and where the program goes on once they are. */
interface StreamedElements {
  readonly plans: readonly StreamingPlan[];
  readonly elements: Stream;
  readonly end: Label;
}

/** From `least` packed bytes on, of the rax that there are, where the target is aligned: the same elements, stored past the cache. */
function emitStreamed(
  e: Emitter,
  { elements, end }: StreamedElements,
  plan: StreamingPlan,
  kind: "loop" | "clip",
  least: number,
): void {
  const cached = e.asm.label();
  emitUnlessStreamed(e, rax, least, plan.alignmentBytes, cached);
  if (kind === "clip") emitPart(e);
  e.streaming = plan.streaming;
  e.emit(general.call_rel32, e.routine(kind, elements));
  e.streaming = undefined;
  e.emit(general.sfence);
  e.emit(general.jmp_rel32, end);
  e.asm.bind(cached);
}

function emitStreamedParts(e: Emitter, streamed: StreamedElements, streamedPartsBytes: number): void {
  for (const plan of streamed.plans) {
    const short = e.asm.label();
    const { partBytes, wholeBytes } = leastOfParts(e, plan, streamedPartsBytes);
    e.emit(general.cmp_rm64_imm32, r8, partBytes);
    e.emit(general.jb_rel32, short);
    emitStreamed(e, streamed, plan, "clip", wholeBytes);
    e.asm.bind(short);
  }
}

/**
 * Past the cache go parts as long as a streamed whole, which slices for threads are, and whatever is unpacked of a whole that
 * would be: it goes to the same places. Shorter packed parts are left in the cache: who packs by parts may send each from
 * one place. What a plan has a size of its own for, it does to parts of such wholes too.
 */
function leastOfParts(
  { direction, tuning }: Emitter,
  plan: StreamingPlan,
  streamedPartsBytes: number,
): { readonly partBytes: number; readonly wholeBytes: number } {
  const least = tuning.streamingBytes;
  if (plan.wholeBytes !== undefined)
    return { partBytes: Math.min(LEAST_STREAMED_BYTES, plan.wholeBytes), wholeBytes: plan.wholeBytes };
  if (direction === "pack" || streamedPartsBytes > MOST_IMMEDIATE) return { partBytes: least, wholeBytes: least };
  return { partBytes: Math.min(LEAST_STREAMED_BYTES, least), wholeBytes: streamedPartsBytes };
}

/** From first and length to what the clip routines take: r8 = where the part begins, r9 = where it ends. */
function emitPart(e: Emitter): void {
  e.emit(general.add_rm64_r64, e.packed, rcx);
  e.emit(general.lea, r9, mem(rcx, 0, r8));
  e.emit(general.mov_rm64_r64, r8, rcx);
}

function emitRoutine(e: Emitter, { kind, node, label, streaming }: Routine): void {
  e.asm.bind(label);
  e.streaming = streaming;
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

function emitLoop(e: Emitter, node: LayoutNode): void {
  if (e.streaming !== undefined) emitUnlessAligned(e, e.streaming, node);
  if (node.kind === "stream") return emitStreamRoutine(e, node);
  if (node.kind === "blocks") return emitBlocksRoutine(e, node);
  throw new TypeError(`loop of a node: expected a stream or blocks, got ${node.kind}`);
}

/** Parts may begin at any child: its place in the target may not be where stores past the cache may go. */
function emitUnlessAligned(e: Emitter, streaming: Streaming, node: LayoutNode): void {
  const alignment = alignmentOfChildren(streaming);
  if (alignment === 1) return;
  e.emit(general.test_rm64_imm32, e.target, alignment - 1);
  e.streaming = undefined;
  e.emit(general.jne_rel32, e.routine("loop", node));
  e.streaming = streaming;
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitWhole(e: Emitter, node: LayoutNode): void {
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
        emitMember(e, member.node, at(member.offsetBytes, p), at(node.highBytes, node.sizeBytes));
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
