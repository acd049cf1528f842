import { general, mem, r10, r8, r9, rax, rcx, type Register } from "@stowage/asm-x64";
import type { IntegerTable } from "@stowage/ir";
import type { Chunk } from "../loops/chunks.js";
import { emitEntry, emitTableAddress } from "../lower/displacement.js";
import type { Emitter, Offsets } from "../lower/emitter.js";
import type { Table } from "../lower/tables.js";
import type { OverlapsOfPairs, TableMoves, WalkOfPairs } from "./pair-plan.js";

/**
 * A walk over a table of pairs of displacements; keeps both registers. `emitChild`: all of a child, at the registers.
 */
export function emitWalk(
  e: Emitter,
  { displacementsBytes, moves }: WalkOfPairs,
  offsets: Offsets,
  emitChild: () => void,
): void {
  emitOver(e, displacementsBytes, 2, offsets, (table) =>
    moves === undefined ? emitNested(e, table, emitChild) : emitRuns(e, moves, table),
  );
}

/** r8 = where in a table of records of `words` entries, rcx = records left. */
function emitOver(
  e: Emitter,
  entries: IntegerTable,
  words: number,
  offsets: Offsets,
  body: (table: Table) => void,
): void {
  e.settle(offsets);
  const table = e.tables.add(e.asm, entries);
  emitTableAddress(e, r8, table);
  e.set(rcx, entries.length / words);
  e.reframe();
  body(table);
  e.pointAt(offsets);
}

/** Moves of each run as many bytes as it has at least, from its beginning and up to its end. */
export function emitOverlaps(e: Emitter, { moves, displacementsBytes }: OverlapsOfPairs, offsets: Offsets): void {
  const { chunks, perRound } = moves;
  emitOver(e, displacementsBytes, 3, offsets, (table) => {
    for (const records of perRound === 1 ? [1] : [perRound, 1]) {
      whileLeft(e, records, 3, table, () => {
        for (let i = 0; i < records; i++) {
          emitEntry(e, r9, table, r8, 3 * i);
          emitEntry(e, r10, table, r8, 3 * i + 1);
          emitChunks(e, chunks);
          emitEntry(e, rax, table, r8, 3 * i + 2);
          e.emit(general.add_rm64_r64, r9, rax);
          e.emit(general.add_rm64_r64, r10, rax);
          emitChunks(e, chunks);
        }
      });
    }
  });
}

/** From the source's r9 to the target's r10. */
function emitChunks(e: Emitter, chunks: readonly Chunk[]): void {
  for (const { offset, width } of chunks) e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset, r10));
}

function emitRuns(e: Emitter, { chunks, perRound }: TableMoves, table: Table): void {
  for (const entries of perRound === 1 ? [1] : [perRound, 1]) {
    whileLeft(e, entries, 2, table, () => {
      for (let i = 0; i < entries; i++) {
        emitEntries(e, table, i);
        emitChunks(e, chunks);
      }
    });
  }
}

/** r9, r10 = displacements of the source and of the target, i entries further. */
function emitEntries(e: Emitter, table: Table, i: number): void {
  emitEntry(e, r9, table, r8, 2 * i);
  emitEntry(e, r10, table, r8, 2 * i + 1);
}

/** While at least `entries` records of so many words are left. */
function whileLeft(e: Emitter, entries: number, words: number, table: Table, body: () => void): void {
  const end = e.asm.label();
  e.emit(general.cmp_rm64_imm8, rcx, entries);
  e.emit(general.jl_rel32, end);
  const top = e.asm.here();
  body();
  e.addTo(r8, words * entries * table.entryBytes);
  e.emit(general.sub_rm64_imm8, rcx, entries);
  e.emit(general.cmp_rm64_imm8, rcx, entries);
  e.emit(general.jge_rel32, top);
  e.asm.bind(end);
}

/** Children that are no short run: the state of the walk waits on the stack. */
function emitNested(e: Emitter, table: Table, emitChild: () => void): void {
  const kept: readonly Register[] = [rcx, r8, e.scattered, e.packed];
  whileLeft(e, 1, 2, table, () => {
    for (const register of kept) e.emit(general.push_r64, register);
    emitEntries(e, table, 0);
    e.emit(general.add_rm64_r64, e.scattered, r9);
    e.emit(general.add_rm64_r64, e.packed, r10);
    e.apart(emitChild);
    for (const register of kept.toReversed()) e.emit(general.pop_r64, register);
    e.reframe();
  });
}
