import { avx512, general, k, mem, r10, r11, r12, r13, r14, r8, r9, rbp, rbx, rcx, rdx, zmm } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import type { RunsPlan } from "../loops/plans.js";
import { ZMM_BYTES } from "../widths.js";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitByLength } from "./length-classes.js";
import { emitIndexed } from "./run-tables.js";
import type { Table } from "./tables.js";

/** The moves of whole runs. */
type RunMoves = Exclude<RunsPlan, { what: "run by run" }>;

/**
 * From run rbx on, whose packed bytes begin at r8, while whole runs are left before r9: rbx and r8 move on, and so does
 * the packed register. Keeps the scattered register and r9.
 */
export function emitWholeRuns(e: Emitter, node: Blocks, starts: Table, moves: RunMoves): void {
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  const end = e.asm.label();
  const [displacementTable, startTable, limit, next, origin] = [r8, r12, r13, rbp, r14];
  for (const register of [startTable, limit, next, origin, r9]) e.emit(general.push_r64, register);
  e.emit(general.mov_rm64_r64, origin, e.packed);
  e.emit(general.sub_rm64_r64, origin, r8);
  e.emit(general.lea, limit, mem(origin, 0, r9));
  emitTableAddress(e, displacementTable, displacements);
  emitTableAddress(e, startTable, starts);
  if (moves.what === "masked") emitMaskSources(e);
  const top = e.asm.here();
  emitIndexed(e, next, starts, startTable, rbx, starts.entryBytes);
  e.emit(general.add_rm64_r64, next, origin);
  e.emit(general.cmp_rm64_r64, next, limit);
  e.emit(general.ja_rel32, end);
  emitIndexed(e, r9, displacements, displacementTable, rbx);
  e.emit(general.add_rm64_r64, r9, e.scattered);
  e.emit(general.mov_rm64_r64, rcx, next);
  e.emit(general.sub_rm64_r64, rcx, e.packed);
  emitRun(e, moves, () => {
    e.emit(general.mov_rm64_r64, e.packed, next);
    e.emit(general.inc_rm64, rbx);
    e.emit(general.jmp_rel32, top);
  });
  e.asm.bind(end);
  e.emit(general.mov_rm64_r64, r8, e.packed);
  e.emit(general.sub_rm64_r64, r8, origin);
  for (const register of [r9, origin, next, limit, startTable]) e.emit(general.pop_r64, register);
}

/** The run of rcx bytes at r9, and `then` what follows it. */
function emitRun(e: Emitter, moves: RunMoves, then: () => void): void {
  if (moves.what === "by length") return emitByLength(e, moves, then);
  emitMasked(e, moves.stepBytes);
  then();
}

const [ALL_ONES, ZERO] = [r11, rdx];

function emitMaskSources(e: Emitter): void {
  e.set(ALL_ONES, -1);
  e.set(ZERO, 0);
}

/** Intel SDM volume 2, BZHI: 64 and more keep every bit. */
function emitMasked(e: Emitter, stepBytes: number): void {
  const steps = Array.from({ length: stepBytes / ZMM_BYTES }, (_, i) => i * ZMM_BYTES);
  const [from, to] = e.direction === "pack" ? [r9, e.packed] : [e.packed, r9];
  for (const offset of steps) {
    if (offset === 0) e.emit(general.bzhi_r64_rm64_r64, r10, ALL_ONES, rcx);
    else {
      e.emit(general.lea, r10, mem(rcx, -offset));
      e.emit(general.cmp_rm64_imm8, rcx, offset);
      e.emit(general.cmovb_r64_rm64, r10, ZERO);
      e.emit(general.bzhi_r64_rm64_r64, r10, ALL_ONES, r10);
    }
    e.emit(avx512.kmovq_k_r64, k(7), r10);
    const register = zmm(offset / ZMM_BYTES);
    e.asm.emit(avx512.vmovdqu8_zmm_load, [register, mem(from, offset)], { mask: k(7), zeroing: true });
    e.asm.emit(avx512.vmovdqu8_zmm_store, [mem(to, offset), register], { mask: k(7) });
  }
}
