import { avx512, zmm } from "@stowage/asm-x64";
import { permutationOf, type PermutedBlocks } from "../loops/permuted-blocks.js";
import { firstBytes } from "./constants.js";
import { at, type Emitter, type Offsets } from "./emitter.js";

/** Whether their masks and indices find registers. */
export const permutationFits = (e: Emitter, permuted: PermutedBlocks): boolean =>
  e.constants.hasMasks(2) && indexOf(e, permuted) !== undefined;

/** A round of vectors, the first block at `offsets`. */
export function emitPermuted(e: Emitter, permuted: PermutedBlocks, offsets: Offsets): void {
  const { blockBytes, strideBytes, moved, vectors } = permuted;
  for (let i = 0; i < vectors; i++) {
    const first = at(offsets.s + i * moved * strideBytes, offsets.p + i * moved * blockBytes);
    if (e.direction === "pack") emitPacked(e, permuted, first, i);
    else emitUnpacked(e, permuted, first, i);
  }
}

function emitPacked(e: Emitter, permuted: PermutedBlocks, offsets: Offsets, round: number): void {
  const { blockBytes, strideBytes, covered, moved } = permuted;
  const spanBytes = (covered - 1) * strideBytes + blockBytes;
  const [first, second] = [zmm(2 * round), zmm(2 * round + 1)];
  e.parts.loadFirst(spanBytes, first, e.scatteredAt(offsets.s));
  const index = registerOf(indexOf(e, permuted));
  if (moved === covered) e.emit(avx512.vpermb, first, index, first);
  else {
    e.parts.loadFirst(spanBytes, second, e.scatteredAt(offsets.s + (moved - covered) * strideBytes));
    e.emit(avx512.vpermt2b, first, index, second);
  }
  e.parts.storeMasked(firstBytes(moved * blockBytes), e.packedAt(offsets.p), first);
}

function emitUnpacked(e: Emitter, permuted: PermutedBlocks, offsets: Offsets, round: number): void {
  const { blockBytes, moved } = permuted;
  const register = zmm(round);
  e.parts.loadFirst(moved * blockBytes, register, e.packedAt(offsets.p));
  e.emit(avx512.vpermb, register, registerOf(indexOf(e, permuted)), register);
  e.parts.storeMasked(bytesOfBlocks(permuted), e.scatteredAt(offsets.s), register);
}

/** The mask of all blocks' bytes in a vector. */
function bytesOfBlocks({ blockBytes, strideBytes, moved }: PermutedBlocks): bigint {
  let mask = 0n;
  for (let i = 0; i < moved; i++) mask |= firstBytes(blockBytes) << BigInt(i * strideBytes);
  return mask;
}

const indexOf = (e: Emitter, permuted: PermutedBlocks): ReturnType<Emitter["constants"]["vector"]> =>
  e.constants.vector(permutationOf(e.direction, permuted));

function registerOf<T>(register: T | undefined): T {
  if (register === undefined) throw new RangeError("permuted: expected a register for each constant, got none");
  return register;
}
