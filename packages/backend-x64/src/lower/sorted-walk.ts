import { general, mem, r10, r8, r9, rcx } from "@stowage/asm-x64";
import { displacementOrder, type Blocks } from "@stowage/ir";
import { chunksOf, NO_SLACK } from "./chunks.js";
import { isShortRun } from "./cost.js";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";

/** Words of one entry: where the block lies, and where it is in the packed stream. */
const ENTRY_BYTES = 8;

/**
 * Displacements in ascending order, each with its place in the packed stream: unpacking then writes memory in order
 * and reads the packed bytes out of order. Prabhu and Gropp, DAME, section 3.3. undefined: packing, blocks that
 * ascend already, few or long ones, or offsets past 32 bits.
 */
export function sortedTable(e: Emitter, node: Blocks): Int32Array | undefined {
  const { displacementsBytes, child } = node;
  if (e.direction === "pack" || displacementsBytes.length < e.tuning.sortBlocks) return undefined;
  if (node.blocklengths !== 1 || !isShortRun(child, e.widest) || !(displacementsBytes instanceof Int32Array))
    return undefined;
  const order = displacementOrder(node);
  if (order === undefined || !(order.packedBytes instanceof Int32Array)) return undefined;
  const words = new Int32Array(2 * displacementsBytes.length);
  for (let i = 0; i < order.blocks.length; i++) {
    words[2 * i] = displacementsBytes[order.blocks[i] as number] as number;
    words[2 * i + 1] = order.packedBytes[i] as number;
  }
  return words;
}

/** All blocks by such a table, the registers standing on their places; the packed one moves on. */
export function emitSortedWalk(e: Emitter, node: Blocks, words: Int32Array): void {
  emitTableAddress(e, r8, e.tables.add(e.asm, words));
  e.set(rcx, words.length / 2);
  const top = e.asm.here();
  e.emit(general.movsxd_r64_m32, r9, mem(r8));
  e.emit(general.movsxd_r64_m32, r10, mem(r8, 4));
  for (const { offset, width } of chunksOf(node.child.sizeBytes, e.widest, NO_SLACK)) {
    e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset, r10));
  }
  e.addTo(r8, ENTRY_BYTES);
  e.emit(general.dec_rm64, rcx);
  e.emit(general.jne_rel32, top);
  e.addTo(e.packed, node.sizeBytes);
}
