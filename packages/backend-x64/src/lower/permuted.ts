import { avx512, zmm } from "@stowage/asm-x64";
import type { PermutedRound } from "../loops/plans.js";
import { vectorRegister } from "./constants.js";
import { at, type Emitter, type Offsets } from "./emitter.js";

/** A round of vectors, the first block at `offsets`. */
export function emitPermuted(e: Emitter, round: PermutedRound, offsets: Offsets): void {
  const { blockBytes, strideBytes, moved, vectors } = round.permuted;
  e.tables.add(e.asm, round.permutation);
  for (let i = 0; i < vectors; i++) {
    const first = at(offsets.s + i * moved * strideBytes, offsets.p + i * moved * blockBytes);
    if (e.direction === "pack") emitPacked(e, round, first, i);
    else emitUnpacked(e, round, first, i);
  }
}

function emitPacked(e: Emitter, round: PermutedRound, offsets: Offsets, number: number): void {
  const { permutation, loadedBytes, stored } = round;
  const { strideBytes, covered, moved } = round.permuted;
  const index = vectorRegister(e.context.constants.vectors, permutation);
  const [first, second] = [zmm(2 * number), zmm(2 * number + 1)];
  e.parts.loadFirst(loadedBytes, first, e.scatteredAt(offsets.s));
  if (moved === covered) e.emit(avx512.vpermb, first, index, first);
  else {
    e.parts.loadFirst(loadedBytes, second, e.scatteredAt(offsets.s + (moved - covered) * strideBytes));
    e.emit(avx512.vpermt2b, first, index, second);
  }
  e.parts.storeMasked(stored, e.packedAt(offsets.p), first);
}

function emitUnpacked(e: Emitter, round: PermutedRound, offsets: Offsets, number: number): void {
  const { permutation, loadedBytes, stored } = round;
  const register = zmm(number);
  e.parts.loadFirst(loadedBytes, register, e.packedAt(offsets.p));
  e.emit(avx512.vpermb, register, vectorRegister(e.context.constants.vectors, permutation), register);
  e.parts.storeMasked(stored, e.scatteredAt(offsets.s), register);
}
