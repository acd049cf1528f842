import {
  Assembler,
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
  rsp,
  type Label,
  type Register,
} from "@stowage/asm-x64";
import { packMove, unpackMove, type Move, type Reduction } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { explainLoops } from "../loops/explain-loops.js";
import { LINE_BYTES } from "../loops/facts/cache.js";
import { emitAdd, emitSet } from "../lower/arithmetic.js";
import { AssemblerSession } from "../lower/assembler-session.js";
import { isaOf } from "../lower/isa.js";
import { program, type LoopProgram, type Program, type ProgramOptions } from "../lower/program.js";
import type { Tuning } from "../options.js";
import { PAGE_BYTES } from "../page.js";
import { emitCombineRun } from "./combine-run.js";
import { explainReduction, planReduction } from "./plan-reduction.js";
import type { ReducePlan, ReduceWay } from "./reduce-plan.js";

/** Callee-saved registers of the System V AMD64 ABI that walking a range needs. */
const KEPT: readonly Register[] = [rbx, rbp, r12, r13, r14, r15];

/** A program with two more inside it, where the target is not one run: what packs it, and what unpacks it again. */
export interface ReduceProgram extends Program {
  readonly plan: ReducePlan;
  readonly halves: readonly LoopProgram[];
}

/**
 * Machine code for one reduction. One run is combined in place. Of any other target as much as a buffer on the stack
 * holds is packed, combined there with what arrives, and unpacked again: the elements of a buffer are then as many
 * vectors, whatever blocks they come from. Where elements of the datatype may share bytes with one another, no buffer
 * holds bytes of two.
 */
export function reduceProgram(
  { target }: Move,
  reduction: Reduction,
  level: FeatureLevel,
  tuning: Tuning,
  options: ProgramOptions = {},
): ReduceProgram {
  const asm = new Assembler({ listing: options.listing === true });
  const [done, combine] = [asm.label(), asm.label()];
  // What was packed a moment ago is written again: that is no case for non-temporal stores.
  const half = { ...tuning, nonTemporalBytes: Infinity };
  const told = { session: options.session ?? new AssemblerSession(), listing: options.listing === true };
  const plan = planReduction({ target, reduction }, level);
  const way = plan.way.plan;
  const halves =
    way.what === "in place"
      ? []
      : [program(packMove(target), level, half, told), program(unpackMove(target), level, half, told)];
  const [pack, unpack] = halves.map((code) => ({ code, label: asm.label() }));
  asm.emit(general.test_rm64_r64, [r8, r8]);
  asm.emit(general.je_rel32, [done]);
  if (way.what === "in place" || pack === undefined || unpack === undefined) emitInPlace(asm, target, combine);
  else emitByBuffers(asm, target, way, { pack: pack.label, combine, unpack: unpack.label });
  isaOf(level).leave(asm);
  asm.bind(done);
  asm.emit(general.ret);
  asm.bind(combine);
  emitCombineRun(asm, plan, level);
  for (const each of [pack, unpack]) {
    if (each === undefined) continue;
    asm.align(LINE_BYTES);
    asm.bind(each.label);
    asm.data(each.code.code);
  }
  return { code: asm.finish(), assembler: asm, plan, halves };
}

/** The plan, and the instructions of all of it, as text. */
export const reduceListing = ({ assembler, plan, halves }: ReduceProgram): string =>
  [
    explainReduction(plan),
    listing(assembler),
    ...halves.map(
      (half, i) =>
        `; the target, ${i === 0 ? "packed to" : "unpacked from"} the stack\n${explainLoops(half.plan)}\n${listing(half.assembler)}`,
    ),
  ].join("\n");

/** rdi = source, rsi = target, rdx = count, rcx = first, r8 = length. */
function emitInPlace(asm: Assembler, { startBytes }: Layout, combine: Label): void {
  asm.emit(general.add_rm64_r64, [rdi, rcx]);
  asm.emit(general.add_rm64_r64, [rsi, rcx]);
  emitAdd(asm, rsi, startBytes);
  asm.emit(general.call_rel32, [combine]);
}

type Buffered = Extract<ReduceWay, { what: "through a buffer" }>;

interface Steps {
  readonly pack: Label;
  readonly combine: Label;
  readonly unpack: Label;
}

/** Bytes [r13, r14) of the packed stream of r12 elements, from rbx to rbp, r15 bytes at a time. */
function emitByBuffers(asm: Assembler, target: Layout, way: Buffered, steps: Steps): void {
  for (const register of KEPT) asm.emit(general.push_r64, [register]);
  for (const [to, from] of [
    [rbx, rdi],
    [rbp, rsi],
    [r12, rdx],
    [r13, rcx],
  ] as const)
    asm.emit(general.mov_rm64_r64, [to, from]);
  asm.emit(general.lea, [r14, mem(rcx, 0, r8)]);
  emitBuffer(asm, way.bufferBytes);
  const top = asm.here();
  emitStep(asm, target, way);
  asm.emit(general.mov_rm64_r64, [rdi, rbp]);
  asm.emit(general.mov_rm64_r64, [rsi, rsp]);
  asm.emit(general.sub_rm64_r64, [rsi, r13]);
  emitHalf(asm, steps.pack);
  asm.emit(general.lea, [rdi, mem(rbx, 0, r13)]);
  asm.emit(general.mov_rm64_r64, [rsi, rsp]);
  asm.emit(general.mov_rm64_r64, [r8, r15]);
  asm.emit(general.call_rel32, [steps.combine]);
  asm.emit(general.mov_rm64_r64, [rdi, rsp]);
  asm.emit(general.sub_rm64_r64, [rdi, r13]);
  asm.emit(general.mov_rm64_r64, [rsi, rbp]);
  emitHalf(asm, steps.unpack);
  asm.emit(general.add_rm64_r64, [r13, r15]);
  asm.emit(general.cmp_rm64_r64, [r13, r14]);
  asm.emit(general.jb_rel32, [top]);
  asm.emit(general.mov_r64_rm64, [rsp, mem(rsp, way.bufferBytes)]);
  for (const register of KEPT.toReversed()) asm.emit(general.pop_r64, [register]);
}

/** The buffer at rsp, the old rsp behind it. Page by page, so that a stack that ends here ends at its guard page. */
function emitBuffer(asm: Assembler, bufferBytes: number): void {
  asm.emit(general.mov_rm64_r64, [rax, rsp]);
  asm.emit(general.and_rm64_imm8, [rsp, -LINE_BYTES]);
  asm.emit(general.sub_rm64_imm8, [rsp, LINE_BYTES]);
  asm.emit(general.mov_rm64_r64, [mem(rsp), rax]);
  for (let page = 0; page < bufferBytes; page += PAGE_BYTES) {
    asm.emit(general.sub_rm64_imm32, [rsp, PAGE_BYTES]);
    asm.emit(general.mov_rm64_r64, [mem(rsp), r13]);
  }
}

/** r15 = bytes of the next step: to the end, to that of the buffer, and to that of the element where elements meet. */
function emitStep(asm: Assembler, { sizeBytes }: Layout, { bufferBytes, endsWithElements }: Buffered): void {
  asm.emit(general.mov_rm64_r64, [r15, r14]);
  asm.emit(general.sub_rm64_r64, [r15, r13]);
  emitSet(asm, rcx, bufferBytes);
  asm.emit(general.cmp_rm64_r64, [r15, rcx]);
  asm.emit(general.cmova_r64_rm64, [r15, rcx]);
  if (!endsWithElements) return;
  asm.emit(general.mov_rm64_r64, [rax, r13]);
  emitSet(asm, rcx, sizeBytes);
  emitSet(asm, rdx, 0);
  asm.emit(general.div_rm64, [rcx]);
  asm.emit(general.sub_rm64_r64, [rcx, rdx]);
  asm.emit(general.cmp_rm64_r64, [r15, rcx]);
  asm.emit(general.cmova_r64_rm64, [r15, rcx]);
}

function emitHalf(asm: Assembler, half: Label): void {
  asm.emit(general.mov_rm64_r64, [rdx, r12]);
  asm.emit(general.mov_rm64_r64, [rcx, r13]);
  asm.emit(general.mov_rm64_r64, [r8, r15]);
  asm.emit(general.call_rel32, [half]);
}
