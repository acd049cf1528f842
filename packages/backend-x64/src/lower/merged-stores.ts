import { avx, xmm, ymm, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import type { Emitter, Offsets } from "./emitter.js";

/**
 * Packing short blocks of whole 8-byte words: several blocks are put together in registers and stored 32 bytes at a
 * time. The store buffer bounds how many missing lines are fetched at once; wider stores let it cover more blocks.
 */
const STORE_BYTES = 32;
const HALF_BYTES = 16;
const WORD_BYTES = 8;
const HALF_WORD_BYTES = 4;
const LONGEST_BYTES = 128;
const LEAST_STORES = 2;

/** Blocks that fill an integral number of stores; undefined where blocks are better moved one by one. */
export function mergedBlocks(e: Emitter, child: LayoutNode): number | undefined {
  if (!merges(e) || child.kind !== "dense") return undefined;
  const length = child.lengthBytes;
  if (length % WORD_BYTES !== 0 || length % STORE_BYTES === 0 || length > LONGEST_BYTES) return undefined;
  const blocks = length % HALF_BYTES === 0 ? 2 : 4;
  return (blocks * length) / STORE_BYTES < LEAST_STORES ? blocks * LEAST_STORES : blocks;
}

/** The same of blocks by a table, which may be half words too. */
export const mergedEntries = (e: Emitter, child: LayoutNode): number | undefined =>
  merges(e) && child.kind === "dense" && child.lengthBytes === HALF_WORD_BYTES
    ? (LEAST_STORES * STORE_BYTES) / HALF_WORD_BYTES
    : mergedBlocks(e, child);

const merges = (e: Emitter): boolean =>
  e.direction === "pack" && e.isa.widest >= STORE_BYTES && (e.nonTemporalWidth === undefined || e.mergesNonTemporal);

/** `blocks` blocks of `length` bytes, the first at `offsets`; `addressOf` says where each one's bytes lie. */
export function emitMerged(
  e: Emitter,
  length: number,
  blocks: number,
  offsets: Offsets,
  addressOf: (block: number, offset: number) => BasedMemory,
): void {
  const from = (offset: number): BasedMemory => addressOf(Math.floor(offset / length), offset % length);
  const within = (offset: number, bytes: number): boolean => (offset % length) + bytes <= length;
  for (let offset = 0; offset < blocks * length; offset += STORE_BYTES) {
    const number = (offset / STORE_BYTES) % 8;
    const whole = ymm(number);
    if (within(offset, STORE_BYTES)) e.emit(avx.vmovdqu_ymm_load, whole, from(offset));
    else {
      const upper = offset + HALF_BYTES;
      loadHalf(e, xmm(number), offset, from, within);
      if (within(upper, HALF_BYTES)) e.emit(avx.vinserti128, whole, whole, from(upper), 1);
      else {
        loadHalf(e, xmm(number + 8), upper, from, within);
        e.emit(avx.vinserti128, whole, whole, xmm(number + 8), 1);
      }
    }
    e.emit(e.mergesNonTemporal ? avx.vmovntdq_ymm : avx.vmovdqu_ymm_store, e.packedAt(offsets.p + offset), whole);
  }
}

function loadHalf(
  e: Emitter,
  half: Register,
  offset: number,
  from: (offset: number) => BasedMemory,
  within: (offset: number, bytes: number) => boolean,
): void {
  if (within(offset, HALF_BYTES)) return e.emit(avx.vmovdqu_xmm_load, half, from(offset));
  if (!within(offset, WORD_BYTES)) {
    e.emit(avx.vmovd_load, half, from(offset));
    for (const word of [1, 2, 3]) e.emit(avx.vpinsrd, half, half, from(offset + word * HALF_WORD_BYTES), word);
    return;
  }
  e.emit(avx.vmovq_load, half, from(offset));
  e.emit(avx.vmovhps_load, half, half, from(offset + WORD_BYTES));
}
