import {
  general,
  listing,
  mem,
  r12,
  r13,
  r14,
  r15,
  r8,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  type Label,
  type Register,
} from "@stowage/asm-x64";
import { packMove, unpackMove, type Move } from "@stowage/backend-api";
import { canonicalise, type Layout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { explainLoops } from "../loops/explain-loops.js";
import { ModePlan } from "../loops/loop-plan.js";
import { AssemblerSession } from "../lower/assembler-session.js";
import { Assembly } from "../lower/assembly.js";
import { emitCopyRoutines } from "../lower/copy-bytes.js";
import { Emitter } from "../lower/emitter.js";
import { isaOf } from "../lower/isa.js";
import { contextOf, program, type LoopProgram, type Program, type ProgramOptions } from "../lower/program.js";
import type { Tuning } from "../options.js";
import type { CopyPlan, LevelPlan } from "./copy-plan.js";
import { emitCounted } from "./emit-counted.js";
import { emitRange, type LevelCode } from "./emit-range.js";
import { explainCopy } from "./explain-copy.js";
import { planCopy } from "./plan-copy.js";
import { emitThroughBuffer } from "./through-buffer.js";

/** Callee-saved registers of the System V AMD64 ABI that parts of a range need. */
const KEPT: readonly Register[] = [rbx, rbp, r12, r13, r14, r15];

/**
 * A program with two more inside it: the packing of the source, and the unpacking of the target; none where nothing
 * moves.
 */
export interface CopyProgram extends Program {
  /** undefined: nothing is moved. */
  readonly plan: CopyPlan | undefined;
  readonly halves: readonly LoopProgram[];
  /** Where what is neither of them ends. */
  readonly ownBytes: number;
}

interface Parts {
  readonly source: Layout;
  readonly target: Layout;
  readonly elements: LevelCode | undefined;
  readonly inner: LevelCode | undefined;
  readonly through: Label;
}

/**
 * Machine code for one copy from layout to layout, and the plan by which it was written. Whole children of both sides
 * go through one nest; what of a range cuts through them, and layouts that do not pair, goes through a buffer on the
 * stack.
 */
export function copyProgram(
  move: Move,
  level: FeatureLevel,
  tuning: Tuning,
  options: ProgramOptions = {},
): CopyProgram {
  const [source, target] = [canonicalise(move.source), canonicalise(move.target)];
  const session = options.session ?? new AssemblerSession();
  const told = { session, listing: options.listing === true };
  const assembly = new Assembly(session, isaOf(level), told.listing);
  // A nest reads from what the emitter calls scattered, and writes to what it calls packed.
  const context = contextOf(packMove(source), assembly, tuning);
  const e = new Emitter(assembly, new ModePlan(context));
  assembly.emitEntry();
  if (source.sizeBytes === 0) {
    e.emit(general.ret);
    return { code: e.asm.finish(), assembler: e.asm, plan: undefined, halves: [], ownBytes: e.asm.offset };
  }
  // The halves are promised no alignment: that of the buffer's contents is unknown.
  const halves = [
    program(packMove(source), level, tuning, told),
    program(unpackMove(target), level, tuning, told),
  ] as const;
  const plan = planCopy(source, target, context);
  const ownBytes = emitCopy(e, plan, halves);
  return { code: e.asm.finish(), assembler: e.asm, plan, halves, ownBytes };
}

/** The plan, and the instructions of all of it, as text. */
export const copyListing = ({ assembler, plan, halves, ownBytes }: CopyProgram): string =>
  [
    plan === undefined ? "; nothing is moved" : explainCopy(plan),
    listing(assembler, ownBytes),
    ...halves.map(
      (half, i) =>
        `; what cuts through children, ${i === 0 ? "packed to" : "unpacked from"} the stack\n${explainLoops(half.plan)}\n${listing(half.assembler)}`,
    ),
  ].join("\n");

/** Where what is neither of the halves ends. */
function emitCopy(e: Emitter, plan: CopyPlan, halves: readonly [Program, Program]): number {
  const { source, target, bufferBytes, stepBytes } = plan;
  const [elements, inner] = [levelCode(e, plan.elements), levelCode(e, plan.inner)];
  const through = e.asm.label();
  emitEntry(e, { source, target, elements, inner, through });
  for (const each of [elements, inner]) if (each !== undefined) emitRoutine(e, each);
  const [pack, unpack] = [e.asm.label(), e.asm.label()];
  e.asm.bind(through);
  emitThroughBuffer(e, { pack, unpack }, { bufferBytes, stepBytes });
  if (e.routines.calledCopies !== undefined) emitCopyRoutines(e, e.routines.calledCopies);
  e.tables.write(e.asm);
  const ownBytes = e.asm.offset;
  for (const [label, half] of [
    [pack, halves[0]],
    [unpack, halves[1]],
  ] as const) {
    e.asm.align(64);
    e.asm.bind(label);
    e.asm.splice(half);
  }
  return ownBytes;
}

const levelCode = (e: Emitter, plan: LevelPlan | undefined): LevelCode | undefined =>
  plan === undefined ? undefined : { plan, loop: e.asm.label() };

function emitRoutine(e: Emitter, { plan, loop }: LevelCode): void {
  e.asm.bind(loop);
  emitCounted(e, plan);
}

/** rdi = source, rsi = target, rdx = count, rcx = first, r8 = length. */
function emitEntry(e: Emitter, parts: Parts): void {
  const { source, target, elements, through } = parts;
  const [partial, end, done] = [e.asm.label(), e.asm.label(), e.asm.label()];
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.je_rel32, done);
  if (elements !== undefined) {
    e.emit(general.mov_rm64_r64, rax, rdx);
    e.multiply(rax, source.sizeBytes);
    e.emit(general.cmp_rm64_r64, rax, r8);
    e.emit(general.jne_rel32, partial);
    e.addTo(rdi, source.startBytes);
    e.addTo(rsi, target.startBytes);
    e.emit(general.mov_rm64_r64, rcx, rdx);
    e.multiply(rcx, source.sizeBytes / elements.plan.unitBytes);
    e.emit(general.call_rel32, elements.loop);
    e.emit(general.jmp_rel32, end);
  }
  e.asm.bind(partial);
  for (const register of KEPT) e.emit(general.push_r64, register);
  for (const [to, from] of [
    [rbx, rdi],
    [rbp, rsi],
    [r12, rdx],
    [r13, rcx],
  ] as const)
    e.emit(general.mov_rm64_r64, to, from);
  e.emit(general.lea, r14, mem(rcx, 0, r8));
  if (elements === undefined) e.emit(general.call_rel32, through);
  else emitRange(e, { ...parts, elements });
  for (const register of KEPT.toReversed()) e.emit(general.pop_r64, register);
  e.asm.bind(end);
  e.isa.leave(e.asm);
  e.asm.bind(done);
  e.emit(general.ret);
}
