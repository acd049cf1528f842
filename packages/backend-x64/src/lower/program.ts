import { general, mem, r10, r11, r8, rcx, type Assembler, type Label } from "@stowage/asm-x64";
import { directionOf, scatteredLayout, type Move } from "@stowage/backend-api";
import type { Layout, LayoutNode } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import type { LoopContext } from "../loops/loop-context.js";
import { isRun, planLoops, type LoopPlan } from "../loops/loop-plan.js";
import type { OutOfCache } from "../loops/plans.js";
import { tuningFor, type Tuning } from "../options.js";
import { AssemblerSession } from "./assembler-session.js";
import { Assembly } from "./assembly.js";
import { emitSharedClip } from "./clip-shared.js";
import { emitClip } from "./clip.js";
import { emitCopyRoutines } from "./copy-bytes.js";
import { emitElements, emitFullElements } from "./elements.js";
import { emitConstants } from "./constants.js";
import { at, Emitter } from "./emitter.js";
import { isaOf } from "./isa.js";
import { limitsInside } from "./limits.js";
import { emitLoopRoutine, emitMember, emitNode } from "./nodes.js";
import { alignmentOfChildren } from "./out-of-cache-guard.js";
import type { Routine } from "./routines.js";
import { emitRunsFrom, emitRunsRoutine } from "./runs.js";

export interface Program {
  /** Code and its tables, entered at byte 0 with (source, target, count, first, length); System V AMD64 ABI. */
  readonly code: Uint8Array;
  /** What wrote it, for listing(); it knows its lines only where `listing` was asked for. */
  readonly assembler: Assembler;
}

/** A program of one layout's loops, and the plan by which it was written. */
export interface LoopProgram extends Program {
  readonly plan: LoopPlan;
}

export interface ProgramOptions {
  readonly listing?: boolean;
  /** What the program shares with others. Default: nothing. */
  readonly session?: AssemblerSession;
  /** What divides every address and every length of both sides; 1 where nothing is known. */
  readonly alignment?: number;
  /**
   * Packed bytes of a full pack from which its parts are unpacked by non-temporal stores. Default: `nonTemporalBytes`.
   */
  readonly nonTemporalPartsBytes?: number;
  /** Calls that are expected of the program. Default: nobody knows. */
  readonly expectedCalls?: number;
}

/** Machine code for one pack or unpack, and the plan by which it was written. */
export function program(move: Move, level: FeatureLevel, tuning: Tuning, options: ProgramOptions = {}): LoopProgram {
  const assembly = assemblyOf(level, options);
  const partsBytes = options.nonTemporalPartsBytes ?? tuning.nonTemporalBytes;
  const plan = planLoops(scatteredLayout(move), contextOf(move, assembly, tuning, options), partsBytes);
  const code = written(assembly, plan, (e) => (plan.isOneRun ? emitDenseEntry(e) : emitElements(e, plan)));
  return { code, assembler: assembly.asm, plan };
}

export interface FullProgram {
  readonly code: Uint8Array;
  /** Packed bytes from which the whole program has other code for a full pack. */
  readonly belowBytes: number;
}

/**
 * The part of the same program that packs all of `count` elements within the caches: a third of it, and most of what is
 * ever called. Undefined where it is no less: where the elements are one run.
 */
export function fullProgram(
  move: Move,
  level: FeatureLevel,
  tuning: Tuning,
  options: ProgramOptions = {},
): FullProgram | undefined {
  const layout = scatteredLayout(move);
  if (isRun(layout)) return undefined;
  const assembly = assemblyOf(level, options);
  const plan = planLoops(layout, contextOf(move, assembly, tuning, options), Infinity);
  const code = written(assembly, plan, (e) => emitFullElements(e, plan));
  return { code, belowBytes: Math.min(Infinity, ...plan.outOfCache.map(({ fullBytes }) => fullBytes)) };
}

const assemblyOf = (level: FeatureLevel, { session, alignment, listing }: ProgramOptions): Assembly =>
  new Assembly(session ?? new AssemblerSession(), isaOf(level, alignment), listing === true);

/** A program of which `entry` writes what begins once both registers point at the elements. */
function written(assembly: Assembly, { cached, layout }: LoopPlan, entry: (e: Emitter) => void): Uint8Array {
  const e = new Emitter(assembly, cached);
  assembly.emitEntry();
  const constants = assembly.parts.hasMasks ? emitAfterConstants(e) : undefined;
  emitEntry(e, layout, entry);
  return emitRest(e, constants);
}

/** What the loops of a pack or unpack are planned for. */
export function contextOf(
  move: Move,
  { isa, session, constants }: Pick<Assembly, "isa" | "session" | "constants">,
  tuning: Tuning,
  { expectedCalls = 0 }: Pick<ProgramOptions, "expectedCalls"> = {},
): LoopContext {
  const direction = directionOf(move) === "unpack" ? "unpack" : "pack";
  return {
    direction,
    isa,
    tuning: tuningFor(direction, tuning),
    expectedCalls,
    outOfCache: undefined,
    constants,
    nearRounds: session.nearRounds,
    readableGaps: session.readableGaps,
  };
}

/** Every routine that was called for so far, the loads of constants, and the tables; all code. */
export function emitRest(e: Emitter, constants: (() => void) | undefined): Uint8Array {
  const { assembly, asm, routines, tables } = e;
  for (let routine = routines.next(); routine !== undefined; routine = routines.next())
    emitRoutine(new Emitter(assembly, routine.plan), routine);
  for (const [kind, label] of routines.clips) emitSharedClip(e, kind, label);
  if (routines.calledCopies !== undefined) emitCopyRoutines(e, routines.calledCopies);
  constants?.();
  tables.write(asm);
  return asm.finish();
}

/** The program proper begins once its constants are in their registers; which they are is known at its end. */
export function emitAfterConstants(e: Emitter): () => void {
  const [load, begin] = [e.asm.label(), e.asm.label()];
  e.emit(general.jmp_rel32, load);
  e.asm.bind(begin);
  return () => {
    e.asm.bind(load);
    emitConstants(e.asm, e.tables, e.context.constants);
    e.emit(general.jmp_rel32, begin);
  };
}

/** rdx = count, rcx = first, r8 = length. */
function emitEntry(e: Emitter, layout: Layout, entry: (e: Emitter) => void): void {
  const done = e.asm.label();
  if (layout.sizeBytes > 0) {
    e.emit(general.test_rm64_r64, r8, r8);
    e.emit(general.je_rel32, done);
    e.addTo(e.scattered, layout.startBytes);
    entry(e);
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

function emitRoutine(e: Emitter, { kind, node, label }: Routine): void {
  e.asm.bind(label);
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
  if (e.outOfCache !== undefined) emitUnlessAligned(e, e.outOfCache, node);
  emitLoopRoutine(e, node);
}

/** A partial pack may begin at any child, whose target may not be aligned for non-temporal stores. */
function emitUnlessAligned(e: Emitter, outOfCache: OutOfCache, node: LayoutNode): void {
  const alignment = alignmentOfChildren(outOfCache);
  if (alignment === 1) return;
  e.emit(general.test_rm64_imm32, e.target, alignment - 1);
  e.emit(general.jne_rel32, e.routine("loop", node, e.plan.cached));
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
        const start = at(member.offsetBytes, p);
        const limits = limitsInside(e, node, start, member.node.highBytes, at(node.highBytes, node.sizeBytes));
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
