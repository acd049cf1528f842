import { general, mem, r10, r11, r8, r9, rax, rbx, rcx, rdx, type Register } from "@stowage/asm-x64";
import { stream, type Blocks, type IntegerTable, type Stream } from "@stowage/ir";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { isRuns, packedStarts } from "./run-tables.js";
import type { Table } from "./tables.js";

/** The blocks of one such node as copies of its child: where a clipped or counted block goes on. */
const copiesOf = new WeakMap<Blocks, Stream>();

export function copiesIn(node: Blocks): Stream {
  const found = copiesOf.get(node) ?? stream(1, node.strideBytes, node.child);
  copiesOf.set(node, found);
  return found;
}

const startsOf = new WeakMap<Blocks, IntegerTable>();

/** The table of packed starts, made once a node. */
export function startsTable(e: Emitter, node: Blocks): Table {
  const found = startsOf.get(node) ?? packedStarts(node);
  startsOf.set(node, found);
  return e.tables.add(e.asm, found);
}

/** Bytes [r8, r9) of blocks of varying length: the first is found by bisection, then one after another. */
export function emitRunsClip(e: Emitter, node: Blocks): void {
  const [partial, done] = [e.asm.label(), e.asm.label()];
  e.emit(general.test_rm64_r64, r8, r8);
  e.emit(general.jne_rel32, partial);
  e.set(rax, node.sizeBytes);
  e.emit(general.cmp_rm64_r64, r9, rax);
  e.emit(general.je_rel32, e.routine("whole", node));
  e.asm.bind(partial);
  e.emit(general.push_r64, rbx);
  const starts = startsTable(e, node);
  emitBisection(e, starts, node.displacementsBytes.length);
  const top = e.asm.here();
  emitBlockPart(e, node, starts);
  e.emit(general.inc_rm64, rbx);
  e.emit(general.cmp_rm64_r64, r8, r9);
  e.emit(general.jb_rel32, top);
  e.asm.bind(done);
  e.emit(general.pop_r64, rbx);
  e.emit(general.ret);
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

/** register = table[index], the table's address in `base`. */
function emitIndexed(e: Emitter, register: Register, table: Table, base: Register, index: Register, disp = 0): void {
  const address = mem(base, disp, index, table.entryBytes);
  e.emit(table.entryBytes === 4 ? general.movsxd_r64_m32 : general.mov_r64_rm64, register, address);
}

/** Block rbx, from packed byte r8 to r9 or its end; r8 moves on. */
function emitBlockPart(e: Emitter, node: Blocks, starts: Table): void {
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
  e.emit(general.call_rel32, e.routine("clip", copiesIn(node)));
  e.asm.bind(empty);
  for (const register of [r8, r9, e.scattered]) e.emit(general.pop_r64, register);
}
