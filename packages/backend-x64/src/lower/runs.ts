import { general, r10, r11, r8, r9, rax, rbx, rcx, rdx } from "@stowage/asm-x64";
import { integerTable, isRuns, type Blocks, type Stream } from "@stowage/ir";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitIndexed } from "./run-tables.js";
import type { Table } from "./tables.js";
import { emitWholeRuns } from "./whole-runs.js";

/** The table of packed starts of runs. */
export const startsTable = (e: Emitter, node: Blocks): Table =>
  e.tables.add(e.asm, e.assembly.session.varyingBlocks.startsOf(node));

/** Children of one block of varying length, from any on. */
const copiesIn = (e: Emitter, node: Blocks): Stream => e.assembly.session.varyingBlocks.copiesIn(node);

/** The routine of all blocks of varying length: keeps the scattered register, moves the packed one on. */
export function emitRunsRoutine(e: Emitter, node: Blocks): void {
  e.emit(general.push_r64, rbx);
  e.set(rbx, 0);
  if (!isRuns(node)) return emitCounted(e, node);
  e.set(r8, 0);
  e.set(r9, node.sizeBytes);
  e.emit(general.jmp_rel32, e.routine("runs", node));
}

/**
 * The routine of bytes [r8, r9) of runs, run rbx the first: whole ones as whole-runs.ts moves them,
 * and one that is cut by its own length. Takes rbx off the stack at the end.
 */
export function emitRunsFrom(e: Emitter, node: Blocks): void {
  const { plan } = e.plan.runs(node);
  const starts = startsTable(e, node);
  const [whole, top, done] = [e.asm.label(), e.asm.label(), e.asm.label()];
  if (plan.what !== "run by run") {
    emitTableAddress(e, r10, starts);
    emitIndexed(e, rcx, starts, r10, rbx);
    e.emit(general.cmp_rm64_r64, rcx, r8);
    e.emit(general.je_rel32, whole);
    emitBlockPart(e, node, starts);
    e.emit(general.inc_rm64, rbx);
    e.asm.bind(whole);
    emitWholeRuns(e, node, starts, plan);
  }
  e.asm.bind(top);
  e.emit(general.cmp_rm64_r64, r8, r9);
  e.emit(general.jae_rel32, done);
  emitBlockPart(e, node, starts);
  e.emit(general.inc_rm64, rbx);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(done);
  e.emit(general.pop_r64, rbx);
  e.emit(general.ret);
}

/** Blocks that are no runs, rbx the first: each by the loop over its copies of the child. */
function emitCounted(e: Emitter, node: Blocks): void {
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  const lengths = e.tables.add(e.asm, node.blocklengths === 1 ? integerTable(0, () => 0) : node.blocklengths);
  const top = e.asm.here();
  const end = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rbx, node.displacementsBytes.length);
  e.emit(general.jae_rel32, end);
  emitTableAddress(e, r10, displacements, rbx);
  emitEntry(e, r10, displacements, r10, 0);
  emitTableAddress(e, r11, lengths, rbx);
  emitEntry(e, rcx, lengths, r11, 0);
  e.emit(general.push_r64, e.scattered);
  e.emit(general.add_rm64_r64, e.scattered, r10);
  e.emit(general.call_rel32, e.routine("loop", copiesIn(e, node)));
  e.emit(general.pop_r64, e.scattered);
  e.emit(general.inc_rm64, rbx);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(end);
  e.emit(general.pop_r64, rbx);
  e.emit(general.ret);
}

/** Block rbx, from packed byte r8 to r9 or its end; r8 moves on. */
export function emitBlockPart(e: Emitter, node: Blocks, starts: Table): void {
  emitTableAddress(e, r10, starts);
  emitIndexed(e, rdx, starts, r10, rbx);
  emitIndexed(e, rcx, starts, r10, rbx, starts.entryBytes);
  e.emit(general.cmp_rm64_r64, rcx, r9);
  e.emit(general.cmova_r64_rm64, rcx, r9);
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  emitTableAddress(e, r11, displacements, rbx);
  emitEntry(e, r11, displacements, r11, 0);
  if (isRuns(node)) emitRunPart(e);
  else emitCopiesPart(e, node);
}

/** From rdx = start of the block, rcx = where to stop, r11 = its displacement. */
function emitRunPart(e: Emitter): void {
  e.emit(general.add_rm64_r64, r11, e.scattered);
  e.emit(general.add_rm64_r64, r11, r8);
  e.emit(general.sub_rm64_r64, r11, rdx);
  e.emit(general.sub_rm64_r64, rcx, r8);
  e.emit(general.add_rm64_r64, r8, rcx);
  e.emit(general.mov_rm64_r64, r10, e.packed);
  e.emit(general.add_rm64_r64, e.packed, rcx);
  if (e.direction === "pack") {
    e.emit(general.mov_rm64_r64, rax, r10);
    e.emit(general.mov_rm64_r64, r10, r11);
    e.emit(general.mov_rm64_r64, r11, rax);
  }
  e.emit(general.call_rel32, e.copyBytes());
}

function emitCopiesPart(e: Emitter, node: Blocks): void {
  const empty = e.asm.label();
  for (const register of [e.scattered, r9, rcx]) e.emit(general.push_r64, register);
  e.emit(general.cmp_rm64_r64, r8, rcx);
  e.emit(general.jae_rel32, empty);
  e.emit(general.add_rm64_r64, e.scattered, r11);
  e.emit(general.sub_rm64_r64, r8, rdx);
  e.emit(general.mov_rm64_r64, r9, rcx);
  e.emit(general.sub_rm64_r64, r9, rdx);
  e.emit(general.call_rel32, e.routine("clip", copiesIn(e, node)));
  e.asm.bind(empty);
  for (const register of [r8, r9, e.scattered]) e.emit(general.pop_r64, register);
}
