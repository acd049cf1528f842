import { general, mem, r10, r8, r9, rax, rbx, rcx, rdx, type Label } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import { chunkAddress } from "./bucket-walk.js";
import type { Buckets } from "./buckets.js";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitIndexed, groupsOf, startsTable } from "./runs.js";
import type { Table } from "./tables.js";

/** Bytes [r8, r9) of blocks of varying length: whole chunks of grouped runs in the middle, else run after run. */
export function emitRunsClip(e: Emitter, node: Blocks): void {
  const partial = e.asm.label();
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.jne_rel32, partial);
  e.set(rax, node.sizeBytes);
  e.emit(general.cmp_rm64_r64, r9, rax);
  e.emit(general.je_rel32, e.routine("whole", node));
  e.asm.bind(partial);
  const groups = groupsOf(e, node);
  if (groups === undefined) emitRunsPart(e, node);
  else emitChunksPart(e, groups, e.routine("part", node), e.routine("chunks", node));
}

/** The routine of bytes [r8, r9), run after run: the first is found by bisection. */
export function emitRunsPart(e: Emitter, node: Blocks): void {
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

/** The runs before the first whole chunk, the whole chunks grouped, the runs after the last one. */
function emitChunksPart(e: Emitter, { chunks, starts, ...groups }: Buckets, part: Label, walk: Label): void {
  const table = e.tables.add(e.asm, starts);
  const [head, last, found, middle, tail] = [e.asm.label(), e.asm.label(), e.asm.label(), e.asm.label(), e.asm.label()];
  emitTableAddress(e, r10, table);
  // rax = the first chunk from byte r8 on; `starts` has one entry more than chunks.
  e.set(rax, -1);
  e.asm.bind(head);
  e.emit(general.inc_rm64, rax);
  emitIndexed(e, rcx, table, r10, rax);
  e.emit(general.cmp_rm64_r64, rcx, r8);
  e.emit(general.jb_rel32, head);
  // rdx = the chunk that byte r9 lies in: all before it end by then.
  e.emit(general.lea, rdx, mem(rax, -1));
  e.asm.bind(last);
  e.emit(general.inc_rm64, rdx);
  e.emit(general.cmp_rm64_imm32, rdx, chunks);
  e.emit(general.jae_rel32, found);
  emitIndexed(e, rcx, table, r10, rdx, table.entryBytes);
  e.emit(general.cmp_rm64_r64, rcx, r9);
  e.emit(general.jbe_rel32, last);
  e.asm.bind(found);
  emitIndexed(e, rcx, table, r10, rdx);
  e.emit(general.sub_rm64_r64, rdx, rax);
  e.emit(general.je_rel32, part);

  for (const register of [r9, rcx, rdx, rax]) e.emit(general.push_r64, register);
  emitIndexed(e, r9, table, r10, rax);
  e.emit(general.cmp_rm64_r64, r8, r9);
  e.emit(general.je_rel32, middle);
  e.emit(general.call_rel32, part);
  e.asm.bind(middle);
  for (const register of [rax, rdx]) e.emit(general.pop_r64, register);
  chunkAddress(e, groups, rax);
  e.emit(general.call_rel32, walk);
  for (const register of [r8, r9]) e.emit(general.pop_r64, register);
  e.emit(general.cmp_rm64_r64, r8, r9);
  e.emit(general.je_rel32, tail);
  e.emit(general.jmp_rel32, part);
  e.asm.bind(tail);
  e.emit(general.ret);
}
