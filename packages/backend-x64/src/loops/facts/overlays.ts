import { DWORD_BYTES, YMM_BYTES } from "../../widths.js";
import type { Blend, Constant, Filling } from "../plans.js";
import { scatteredByte, spanOf, type Near } from "./near-bytes.js";

const DWORDS = YMM_BYTES / DWORD_BYTES;

/** A load whose bytes stand where they are wanted; `takes` has all bits of each byte that the vector takes of it. */
interface Load {
  readonly offsetBytes: number;
  readonly takes: Uint8Array<ArrayBuffer>;
}

/**
 * One load a block, so that the block's bytes stand where they are packed. The first block's load begins, and the last
 * one's ends, with bytes that are wanted: none reads outside the blocks of the round.
 */
export function straightOverlay({ blockBytes, strideBytes }: Near, packedBytes: number): Filling {
  const first = Math.floor(packedBytes / blockBytes);
  const last = Math.floor((packedBytes + YMM_BYTES - 1) / blockBytes);
  const loads = Array.from({ length: last - first + 1 }, (_, i): Load => {
    const block = first + i;
    const takes = new Uint8Array(YMM_BYTES).fill(255, Math.max(0, block * blockBytes - packedBytes));
    return { offsetBytes: block * (strideBytes - blockBytes) + packedBytes, takes };
  });
  return overlay(loads, undefined);
}

/**
 * At most `mostLoads` loads, each of double words out of several blocks that fall between those of the others; then all
 * are put in order. undefined where no so few loads do.
 */
export function orderedOverlay(
  near: Near,
  blocks: number,
  packedBytes: number,
  mostLoads: number,
): Filling | undefined {
  if (near.blockBytes % DWORD_BYTES !== 0 || packedBytes % DWORD_BYTES !== 0) return undefined;
  const wanted = Array.from({ length: DWORDS }, (_, i) => scatteredByte(near, packedBytes + i * DWORD_BYTES));
  for (let loads = 1; loads <= mostLoads; loads++) {
    const found = placeIn(loads, wanted, spanOf(near, blocks) - YMM_BYTES, 0, 0);
    if (found !== undefined) return overlay(found.map(loadOf), Int32Array.from(found.flatMap(({ places }) => places)));
  }
  return undefined;
}

interface Placed {
  readonly offsetBytes: number;
  /** Where the double words that it brings stand, in packed order. */
  readonly places: readonly number[];
}

/**
 * At most `loads` loads that bring all of `wanted` from the `next` on, ascending addresses, each to a place of its own
 * that is no bit of `taken`; none begins past `lastBytes`.
 */
function placeIn(
  loads: number,
  wanted: readonly number[],
  lastBytes: number,
  next: number,
  taken: number,
): readonly Placed[] | undefined {
  if (next === DWORDS) return [];
  if (loads === 0) return undefined;
  for (let first = 0; first < DWORDS; first++) {
    const offsetBytes = (wanted[next] as number) - first * DWORD_BYTES;
    if (offsetBytes < 0 || offsetBytes > lastBytes) continue;
    const placeOf = (address: number): number => (address - offsetBytes) / DWORD_BYTES;
    let [after, bits] = [next, taken];
    for (; after < DWORDS; after++) {
      const place = placeOf(wanted[after] as number);
      if (!Number.isInteger(place) || place >= DWORDS || (bits & (1 << place)) !== 0) break;
      bits |= 1 << place;
    }
    const rest = after === next ? undefined : placeIn(loads - 1, wanted, lastBytes, after, bits);
    if (rest !== undefined) return [{ offsetBytes, places: wanted.slice(next, after).map(placeOf) }, ...rest];
  }
  return undefined;
}

function loadOf({ offsetBytes, places }: Placed): Load {
  const takes = new Uint8Array(YMM_BYTES);
  for (const place of places) takes.fill(255, place * DWORD_BYTES, (place + 1) * DWORD_BYTES);
  return { offsetBytes, takes };
}

/** Loads one over the other, by constants where a double word is taken in part. */
function overlay([base, ...others]: readonly Load[], order: Constant | undefined): Filling {
  const blends = others.map(({ offsetBytes, takes }): Blend => ({
    offsetBytes,
    dwords: dwordsTaken(takes),
    mask: new Int32Array(takes.buffer),
  }));
  const masks = blends.filter(({ dwords }) => dwords === undefined).map(({ mask }) => mask);
  return {
    what: "overlay",
    instructions: 1 + 2 * others.length + (order === undefined ? 0 : 1),
    constants: order === undefined ? masks : [...masks, order],
    baseBytes: base?.offsetBytes ?? 0,
    blends,
    order,
  };
}

/** A bit for each double word that is taken whole; undefined where one is taken in part. */
function dwordsTaken(takes: Uint8Array): number | undefined {
  let bits = 0;
  for (let i = 0; i < DWORDS; i++) {
    const part = takes.subarray(i * DWORD_BYTES, (i + 1) * DWORD_BYTES);
    if (part.some((byte) => byte !== part[0])) return undefined;
    if (part[0] === 255) bits |= 1 << i;
  }
  return bits;
}
