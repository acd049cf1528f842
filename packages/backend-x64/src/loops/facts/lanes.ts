import { XMM_BYTES, YMM_BYTES } from "../../widths.js";
import type { Filling, LanePair } from "../plans.js";
import { scatteredByte, spanOf, type Near } from "./near-bytes.js";

/** A control byte of vpshufb that gives zero. */
const ZERO = 128;

/** 16 bytes of memory, and what a lane takes of them. */
interface LaneLoad {
  readonly offsetBytes: number;
  readonly control: Uint8Array<ArrayBuffer>;
}

/**
 * Loads of 16 bytes, one a lane, shuffled within their lanes to their packed position, the rest zero, then or'ed: no
 * byte crosses lanes. undefined where the blocks of the round are shorter than one load.
 */
export function shuffledLanes(near: Near, blocks: number, packedBytes: number): Filling | undefined {
  const lastBytes = spanOf(near, blocks) - XMM_BYTES;
  if (lastBytes < 0) return undefined;
  const [lower, upper] = [
    loadsOfLane(near, packedBytes, lastBytes),
    loadsOfLane(near, packedBytes + XMM_BYTES, lastBytes),
  ];
  const pairs = Array.from({ length: Math.max(lower.length, upper.length) }, (_, i): LanePair => {
    // A lane that needs no further load repeats its first one and takes nothing of it.
    const loadOf = (lane: readonly LaneLoad[]): LaneLoad =>
      lane[i] ?? { offsetBytes: lane[0]?.offsetBytes ?? 0, control: new Uint8Array(XMM_BYTES).fill(ZERO) };
    const [low, high] = [loadOf(lower), loadOf(upper)];
    const control = new Uint8Array(YMM_BYTES);
    control.set(low.control, 0);
    control.set(high.control, XMM_BYTES);
    return { offsetsBytes: [low.offsetBytes, high.offsetBytes], control: new Int32Array(control.buffer) };
  });
  return {
    what: "lanes",
    instructions: 5 * pairs.length - 1,
    constants: pairs.map(({ control }) => control),
    pairs,
  };
}

/** As few loads as hold a lane's bytes; none begins past `lastBytes`. */
function loadsOfLane(near: Near, packedBytes: number, lastBytes: number): readonly LaneLoad[] {
  const loads: LaneLoad[] = [];
  for (let i = 0; i < XMM_BYTES; i++) {
    const scattered = scatteredByte(near, packedBytes + i);
    let load = loads.at(-1);
    if (load === undefined || scattered >= load.offsetBytes + XMM_BYTES) {
      load = { offsetBytes: Math.min(scattered, lastBytes), control: new Uint8Array(XMM_BYTES).fill(ZERO) };
      loads.push(load);
    }
    load.control[i] = scattered - load.offsetBytes;
  }
  return loads;
}
