import { avx, xmm, ymm } from "@stowage/asm-x64";
import { scatteredByte, spanOf, VECTOR_BYTES, type Filling, type Near } from "./near-blocks.js";

const LANE_BYTES = 16;
const LANES = [0, 1] as const;
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
  const lastBytes = spanOf(near, blocks) - LANE_BYTES;
  if (lastBytes < 0) return undefined;
  const [lower, upper] = [
    loadsOfLane(near, packedBytes, lastBytes),
    loadsOfLane(near, packedBytes + LANE_BYTES, lastBytes),
  ];
  const parts = Array.from({ length: Math.max(lower.length, upper.length) }, (_, i) => {
    // A lane that needs no further load repeats its first one and takes nothing of it.
    const loads = [lower, upper].map(
      (lane) => lane[i] ?? { offsetBytes: lane[0]?.offsetBytes ?? 0, control: new Uint8Array(LANE_BYTES).fill(ZERO) },
    );
    const control = new Uint8Array(VECTOR_BYTES);
    loads.forEach((load, lane) => control.set(load.control, lane * LANE_BYTES));
    return { offsets: loads.map(({ offsetBytes }) => offsetBytes), control: new Int32Array(control.buffer) };
  });
  return {
    instructions: 5 * parts.length - 1,
    constants: parts.map(({ control }) => control),
    emit(e, scattered, number, registerOf) {
      parts.forEach(({ offsets, control }, i) => {
        const half = i === 0 ? number : number + 1;
        const [from, second] = LANES.map((lane) => e.scatteredAt(scattered + (offsets[lane] as number)));
        if (from === undefined || second === undefined) throw new RangeError("lanes: expected two loads");
        e.emit(avx.vmovdqu_xmm_load, xmm(half), from);
        e.emit(avx.vinserti128, ymm(half), ymm(half), second, 1);
        e.emit(avx.vpshufb, ymm(half), ymm(half), registerOf(control));
        if (i > 0) e.emit(avx.vpor, ymm(number), ymm(number), ymm(half));
      });
    },
  };
}

/** As few loads as hold a lane's bytes; none begins past `lastBytes`. */
function loadsOfLane(near: Near, packedBytes: number, lastBytes: number): readonly LaneLoad[] {
  const loads: LaneLoad[] = [];
  for (let i = 0; i < LANE_BYTES; i++) {
    const scattered = scatteredByte(near, packedBytes + i);
    let load = loads.at(-1);
    if (load === undefined || scattered >= load.offsetBytes + LANE_BYTES) {
      load = { offsetBytes: Math.min(scattered, lastBytes), control: new Uint8Array(LANE_BYTES).fill(ZERO) };
      loads.push(load);
    }
    load.control[i] = scattered - load.offsetBytes;
  }
  return loads;
}
