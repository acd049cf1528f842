import { general, mem, r10, r8, r9, rax, rcx } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import type { WalkPlan } from "../loops/plans.js";
import { emitDense } from "./dense.js";
import { emitEntry, emitTableAddress } from "./displacement.js";
import { at, type Emitter, type Limits, type Offsets } from "./emitter.js";
import { emitMerged } from "./merged-stores.js";
import { emitSortedWalk } from "./sorted-walk.js";
import type { Table } from "./tables.js";

/**
 * Blocks of one child each: a walk over the table of displacements. Inlined: all of them. `emitChild`: all of
 * a child, at the registers.
 */
export function emitBlocks(e: Emitter, node: Blocks, offsets: Offsets, emitChild: () => void): void {
  e.settle(offsets);
  const { plan } = e.plan.walk(node);
  if (plan.what === "sorted") {
    emitSortedWalk(e, node, plan);
  } else {
    const table = e.tables.add(e.asm, node.displacementsBytes);
    emitTableAddress(e, r8, table);
    e.set(rcx, node.displacementsBytes.length);
    emitWalk(e, node, table, plan, emitChild);
  }
  e.pointAt(at(offsets.s, offsets.p + node.sizeBytes));
}

/**
 * The routine of such blocks: rcx of them from entry r8. Keeps the scattered register; moves the packed one on.
 */
export function emitBlocksRoutine(e: Emitter, node: Blocks, emitChild: () => void): void {
  const table = e.tables.add(e.asm, node.displacementsBytes);
  e.reframe();
  emitTableAddress(e, r10, table, r8);
  e.emit(general.mov_rm64_r64, r8, r10);
  emitWalk(e, node, table, e.plan.countedWalk(node).plan, emitChild);
  e.emit(general.ret);
}

/** Walks rcx entries from address r8, in a frame whose zero the registers point at. Keeps the scattered one. */
function emitWalk(e: Emitter, node: Blocks, table: Table, plan: WalkPlan, emitChild: () => void): void {
  e.reframe();
  if (plan.what === "short runs") emitDenseWalk(e, node, plan, table);
  else emitNestedWalk(e, node, table, emitChild);
}

function emitDenseWalk(
  e: Emitter,
  node: Blocks,
  { entries: most, merged, ahead }: Extract<WalkPlan, { what: "short runs" }>,
  table: Table,
): void {
  const size = node.child.sizeBytes;
  const limits = at(node.child.highBytes, size);
  for (const entries of most === 1 ? [1] : [most, 1]) {
    walkLoop(e, entries, () => {
      if (ahead > 0 && entries > 1) for (let i = 0; i < entries; i++) emitPrefetch(e, table, ahead + i);
      if (merged && entries === most) emitMergedEntries(e, size, table, entries);
      else for (let i = 0; i < entries; i++) emitEntryMove(e, node, table, i, limits);
      e.endRound(at(0, 0), at(0, entries * size));
      e.addTo(r8, entries * table.entryBytes);
    });
  }
}

/** Entry i of this round, at its place in the packed stream. */
function emitEntryMove(e: Emitter, node: Blocks, table: Table, i: number, limits: Limits): void {
  const size = node.child.sizeBytes;
  const index = i % 2 === 0 ? r9 : r10;
  emitEntry(e, index, table, r8, i);
  emitDense(e, size, { s: 0, p: i * size, index }, at(limits.s, i * size + limits.p));
}

/** As many as fill whole stores. */
function emitMergedEntries(e: Emitter, length: number, table: Table, entries: number): void {
  let loaded = -1;
  emitMerged(e, length, entries, at(0, 0), (entry, offset) => {
    const index = entry % 2 === 0 ? r9 : r10;
    if (entry !== loaded) emitEntry(e, index, table, r8, entry);
    loaded = entry;
    return e.scatteredAt(offset, index);
  });
}

function emitPrefetch(e: Emitter, table: Table, entry: number): void {
  emitEntry(e, rax, table, r8, entry);
  e.emit(e.direction === "pack" ? general.prefetcht0 : general.prefetchw, mem(e.scattered, 0, rax));
}

/** While at least `entries` are left in rcx. */
function walkLoop(e: Emitter, entries: number, body: () => void): void {
  const end = e.asm.label();
  e.emit(general.cmp_rm64_imm8, rcx, entries);
  e.emit(general.jl_rel32, end);
  const top = e.asm.here();
  body();
  e.emit(general.sub_rm64_imm8, rcx, entries);
  e.emit(general.cmp_rm64_imm8, rcx, entries);
  e.emit(general.jge_rel32, top);
  e.asm.bind(end);
}

/** Children that are no single run: the walk's state waits on the stack. */
function emitNestedWalk(e: Emitter, { child }: Blocks, table: Table, emitChild: () => void): void {
  walkLoop(e, 1, () => {
    for (const register of [rcx, r8, e.scattered]) e.emit(general.push_r64, register);
    emitEntry(e, r9, table, r8, 0);
    e.emit(general.add_rm64_r64, e.scattered, r9);
    e.apart(emitChild);
    e.settlePacked(child.sizeBytes);
    for (const register of [e.scattered, r8, rcx]) e.emit(general.pop_r64, register);
    e.reframe();
    e.addTo(r8, table.entryBytes);
  });
}
