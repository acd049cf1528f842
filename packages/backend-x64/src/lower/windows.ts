import { avx512, zmm } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { firstBytes } from "./constants.js";
import { at, type Emitter, type Place } from "./emitter.js";

/** Bytes of one vector: what one permutation reads or writes. */
const WINDOW_BYTES = 64;
/** Blocks in a window from which permuting won on the machine it was measured on (docs/x64.md). */
const LEAST_PACKED = 2;
const LEAST_UNPACKED = 4;
/** Shorter streams leave too much to what fills no round. */
export const LEAST_BLOCKS = 32;
/** Windows in a round of a loop, which the loop's own counting is spread over. */
const WINDOWS_A_ROUND = 2;

/**
 * Short blocks so near each other that one vector covers several. Packing closes the gaps by a permutation of one
 * vector or two; unpacking opens them, and a mask keeps every byte of a gap as it is.
 */
export interface Windows {
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
export function windowsOf(e: Emitter, child: LayoutNode, strideBytes: number): Windows | undefined {
  if (!e.masks || !e.tuning.permutedBlocks || e.streamingWidth !== undefined || child.kind !== "dense")
    return undefined;
  const blockBytes = child.lengthBytes;
  if (blockBytes === 0 || strideBytes <= blockBytes) return undefined;
  const covered = Math.floor((WINDOW_BYTES - blockBytes) / strideBytes) + 1;
  if (covered < (e.direction === "pack" ? LEAST_PACKED : LEAST_UNPACKED)) return undefined;
  // Of two vectors as much is packed at once as one vector holds.
  const moved = e.direction === "pack" ? Math.min(2 * covered, Math.floor(WINDOW_BYTES / blockBytes)) : covered;
  return { blockBytes, strideBytes, covered, moved, children: WINDOWS_A_ROUND * moved };
}

/** Whether their masks and indices find registers. */
export const windowsFit = (e: Emitter, windows: Windows): boolean =>
  e.constants.hasMasks(2) && indexOf(e, windows) !== undefined;

/** A round of windows, the first block at `place`. */
export function emitWindows(e: Emitter, windows: Windows, place: Place): void {
  const { blockBytes, strideBytes, moved } = windows;
  for (let i = 0; i < WINDOWS_A_ROUND; i++) {
    const first = at(place.s + i * moved * strideBytes, place.p + i * moved * blockBytes);
    if (e.direction === "pack") emitPacked(e, windows, first, i);
    else emitUnpacked(e, windows, first, i);
  }
}

function emitPacked(e: Emitter, windows: Windows, place: Place, round: number): void {
  const { blockBytes, strideBytes, covered, moved } = windows;
  const spanBytes = (covered - 1) * strideBytes + blockBytes;
  const [first, second] = [zmm(2 * round), zmm(2 * round + 1)];
  e.loadFirst(spanBytes, first, e.scatteredAt(place.s));
  const index = registerOf(indexOf(e, windows));
  if (moved === covered) e.emit(avx512.vpermb, first, index, first);
  else {
    e.loadFirst(spanBytes, second, e.scatteredAt(place.s + (moved - covered) * strideBytes));
    e.emit(avx512.vpermt2b, first, index, second);
  }
  e.storeMasked(firstBytes(moved * blockBytes), e.packedAt(place.p), first);
}

function emitUnpacked(e: Emitter, windows: Windows, place: Place, round: number): void {
  const { blockBytes, moved } = windows;
  const register = zmm(round);
  e.loadFirst(moved * blockBytes, register, e.packedAt(place.p));
  e.emit(avx512.vpermb, register, registerOf(indexOf(e, windows)), register);
  e.storeMasked(bytesOfBlocks(windows), e.scatteredAt(place.s), register);
}

/** The mask of all blocks' bytes in a window. */
function bytesOfBlocks({ blockBytes, strideBytes, moved }: Windows): bigint {
  let mask = 0n;
  for (let i = 0; i < moved; i++) mask |= firstBytes(blockBytes) << BigInt(i * strideBytes);
  return mask;
}

/** Of each byte of the permuted vector, which byte it is of what was loaded: 64 on means the second vector. */
function indexOf(
  e: Emitter,
  { blockBytes, strideBytes, covered, moved }: Windows,
): ReturnType<Emitter["constants"]["vector"]> {
  const bytes = new Uint8Array(WINDOW_BYTES);
  for (let i = 0; i < moved; i++) {
    const scattered = i < covered ? i * strideBytes : WINDOW_BYTES + (i - (moved - covered)) * strideBytes;
    for (let byte = 0; byte < blockBytes; byte++) {
      if (e.direction === "pack") bytes[i * blockBytes + byte] = scattered + byte;
      else bytes[scattered + byte] = i * blockBytes + byte;
    }
  }
  return e.constants.vector(e, bytes);
}

function registerOf<T>(register: T | undefined): T {
  if (register === undefined) throw new RangeError("windows: expected a register for each constant, got none");
  return register;
}
