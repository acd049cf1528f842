import { avx512, zmm } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { firstBytes } from "./constants.js";
import { at, type Emitter, type Offsets } from "./emitter.js";

/** Bytes of one vector: what one permutation reads or writes. */
const VECTOR_BYTES = 64;
/** Blocks in a vector from which permuting won on the machine it was measured on (docs/x64.md). */
const LEAST_PACKED = 2;
const LEAST_UNPACKED = 4;
/** Shorter streams leave too much to what fills no round (docs/notes/2026-11-22-compile.md). */
export const LEAST_BLOCKS = 16;
/** Vectors in a round of a loop, which the loop's own counting is spread over. */
const VECTORS_A_ROUND = 2;

/**
 * Short blocks so near each other that one vector covers several. Packing closes the gaps by a permutation of one
 * vector or two; unpacking opens them, and a mask keeps every byte of a gap as it is.
 */
export interface PermutedBlocks {
  readonly blockBytes: number;
  readonly strideBytes: number;
  /** Blocks that one vector of scattered bytes covers. */
  readonly covered: number;
  /** Blocks that one permutation moves. */
  readonly moved: number;
  /** Blocks of a round. */
  readonly children: number;
}

/** Whether children `strideBytes` apart are such blocks; undefined where they are not. */
export function permutedBlocksOf(e: Emitter, child: LayoutNode, strideBytes: number): PermutedBlocks | undefined {
  if (!e.parts.hasMasks || !e.tuning.permutedBlocks || e.nonTemporalWidth !== undefined || child.kind !== "dense")
    return undefined;
  const blockBytes = child.lengthBytes;
  if (blockBytes === 0 || strideBytes <= blockBytes) return undefined;
  const covered = Math.floor((VECTOR_BYTES - blockBytes) / strideBytes) + 1;
  if (covered < (e.direction === "pack" ? LEAST_PACKED : LEAST_UNPACKED)) return undefined;
  // Of two vectors as much is packed at once as one vector holds.
  const moved = e.direction === "pack" ? Math.min(2 * covered, Math.floor(VECTOR_BYTES / blockBytes)) : covered;
  return { blockBytes, strideBytes, covered, moved, children: VECTORS_A_ROUND * moved };
}

/** Whether a stream has so many of them that writing its blocks out one by one is slower. */
export const isPermuted = (e: Emitter, node: LayoutNode): boolean =>
  node.kind === "stream" &&
  node.count >= LEAST_BLOCKS &&
  permutedBlocksOf(e, node.child, node.strideBytes) !== undefined;

/** Whether their masks and indices find registers. */
export const permutationFits = (e: Emitter, permuted: PermutedBlocks): boolean =>
  e.constants.hasMasks(2) && indexOf(e, permuted) !== undefined;

/** A round of vectors, the first block at `offsets`. */
export function emitPermuted(e: Emitter, permuted: PermutedBlocks, offsets: Offsets): void {
  const { blockBytes, strideBytes, moved } = permuted;
  for (let i = 0; i < VECTORS_A_ROUND; i++) {
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

/** Of each byte of the permuted vector, which byte it is of what was loaded: 64 on means the second vector. */
function indexOf(
  e: Emitter,
  { blockBytes, strideBytes, covered, moved }: PermutedBlocks,
): ReturnType<Emitter["constants"]["vector"]> {
  const bytes = new Uint8Array(VECTOR_BYTES);
  for (let i = 0; i < moved; i++) {
    const scattered = i < covered ? i * strideBytes : VECTOR_BYTES + (i - (moved - covered)) * strideBytes;
    for (let byte = 0; byte < blockBytes; byte++) {
      if (e.direction === "pack") bytes[i * blockBytes + byte] = scattered + byte;
      else bytes[scattered + byte] = i * blockBytes + byte;
    }
  }
  return e.constants.vector(bytes);
}

function registerOf<T>(register: T | undefined): T {
  if (register === undefined) throw new RangeError("permuted: expected a register for each constant, got none");
  return register;
}
