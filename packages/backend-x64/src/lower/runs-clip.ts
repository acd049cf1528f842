import { general, mem, r10, r8, r9, rax, rbx, rcx, rdx } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitIndexed } from "./run-tables.js";
import { startsTable } from "./runs.js";
import type { Table } from "./tables.js";

/** Bytes [r8, r9) of blocks of varying length. */
export function emitRunsClip(e: Emitter, node: Blocks): void {
  const partial = e.asm.label();
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.jne_rel32, partial);
  e.set(rax, node.sizeBytes);
  e.emit(general.cmp_rm64_r64, r9, rax);
  e.emit(general.je_rel32, e.routine("whole", node));
  e.asm.bind(partial);
  e.emit(general.push_r64, rbx);
  emitBisection(e, startsTable(e, node), node.displacementsBytes.length);
  e.emit(general.jmp_rel32, e.routine("runs", node));
}

/** rbx = the block that holds packed byte r8: starts[rbx] <= r8 < starts[rbx + 1]. */
function emitBisection(e: Emitter, starts: Table, count: number): void {
  const [low, high, middle] = [rbx, rdx, rax];
  emitTableAddress(e, r10, starts);
  e.set(low, 0);
  e.set(high, count);
  const [end, below] = [e.asm.label(), e.asm.label()];
  const top = e.asm.here();
  e.emit(general.lea, middle, mem(low, 1));
  e.emit(general.cmp_rm64_r64, middle, high);
  e.emit(general.jae_rel32, end);
  e.emit(general.lea, middle, mem(low, 0, high));
  e.emit(general.shr_rm64_imm8, middle, 1);
  emitIndexed(e, rcx, starts, r10, middle);
  e.emit(general.cmp_rm64_r64, rcx, r8);
  e.emit(general.jbe_rel32, below);
  e.emit(general.mov_rm64_r64, high, middle);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(below);
  e.emit(general.mov_rm64_r64, low, middle);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(end);
}
