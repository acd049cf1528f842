import { avx, xmm, ymm, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { Stream } from "@stowage/ir";
import { mergesNonTemporal, type MergedRound } from "../loops/plans.js";
import { DWORD_BYTES, WORD_BYTES, XMM_BYTES, YMM_BYTES } from "../widths.js";
import { at, type Emitter, type Offsets } from "./emitter.js";

/** The blocks of one round of a stream, the first at `offsets`. */
export function emitMergedStream(
  e: Emitter,
  { child, strideBytes }: Stream,
  { children, together }: Pick<MergedRound, "children" | "together">,
  offsets: Offsets,
): void {
  for (let first = 0; first < children; first += together) {
    const start = at(offsets.s + first * strideBytes, offsets.p + first * child.sizeBytes);
    emitMerged(e, child.sizeBytes, together, start, (block, offset) =>
      e.scatteredAt(start.s + block * strideBytes + offset),
    );
  }
}

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
  for (let offset = 0; offset < blocks * length; offset += YMM_BYTES) {
    const number = (offset / YMM_BYTES) % 8;
    const whole = ymm(number);
    if (within(offset, YMM_BYTES)) e.emit(avx.vmovdqu_ymm_load, whole, from(offset));
    else {
      const upper = offset + XMM_BYTES;
      loadHalf(e, xmm(number), offset, from, within);
      if (within(upper, XMM_BYTES)) e.emit(avx.vinserti128, whole, whole, from(upper), 1);
      else {
        loadHalf(e, xmm(number + 8), upper, from, within);
        e.emit(avx.vinserti128, whole, whole, xmm(number + 8), 1);
      }
    }
    e.emit(
      mergesNonTemporal(e.outOfCache) ? avx.vmovntdq_ymm : avx.vmovdqu_ymm_store,
      e.packedAt(offsets.p + offset),
      whole,
    );
  }
}

function loadHalf(
  e: Emitter,
  half: Register,
  offset: number,
  from: (offset: number) => BasedMemory,
  within: (offset: number, bytes: number) => boolean,
): void {
  if (within(offset, XMM_BYTES)) return e.emit(avx.vmovdqu_xmm_load, half, from(offset));
  if (!within(offset, WORD_BYTES)) {
    e.emit(avx.vmovd_load, half, from(offset));
    for (const word of [1, 2, 3]) e.emit(avx.vpinsrd, half, half, from(offset + word * DWORD_BYTES), word);
    return;
  }
  e.emit(avx.vmovq_load, half, from(offset));
  e.emit(avx.vmovhps_load, half, half, from(offset + WORD_BYTES));
}
