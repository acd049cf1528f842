import { avx, xmm, ymm } from "@stowage/asm-x64";
import { scatteredByte, spanOf, VECTOR_BYTES, type Filling, type Near } from "./near-blocks.js";

const LANE_BYTES = 16;
const LANES = [0, 1] as const;
/** A control byte of vpshufb that gives zero. */
const ZERO = 128;

/** 16 bytes of memory, and what a lane takes of them. */
interface Window {
  readonly offsetBytes: number;
  readonly control: Uint8Array<ArrayBuffer>;
}

/**
 * Windows of 16 bytes, one a lane, shuffled within their lanes to where they are packed, the rest zero, and or'ed: no
 * byte crosses lanes. undefined where the blocks of the round are too short for a window.
 */
export function shuffledLanes(near: Near, blocks: number, packedBytes: number): Filling | undefined {
  const lastBytes = spanOf(near, blocks) - LANE_BYTES;
  if (lastBytes < 0) return undefined;
  const [lower, upper] = [
    windowsOf(near, packedBytes, lastBytes),
    windowsOf(near, packedBytes + LANE_BYTES, lastBytes),
  ];
  const parts = Array.from({ length: Math.max(lower.length, upper.length) }, (_, i) => {
    // A lane that needs no more windows loads its first again, and takes nothing of it.
    const windows = [lower, upper].map(
      (lane) => lane[i] ?? { offsetBytes: lane[0]?.offsetBytes ?? 0, control: new Uint8Array(LANE_BYTES).fill(ZERO) },
    );
    const control = new Uint8Array(VECTOR_BYTES);
    windows.forEach((window, lane) => control.set(window.control, lane * LANE_BYTES));
    return { offsets: windows.map(({ offsetBytes }) => offsetBytes), control: new Int32Array(control.buffer) };
  });
  return {
    instructions: 5 * parts.length - 1,
    constants: parts.map(({ control }) => control),
    emit(e, scattered, number, registerOf) {
      parts.forEach(({ offsets, control }, i) => {
        const half = i === 0 ? number : number + 1;
        const [from, second] = LANES.map((lane) => e.scatteredAt(scattered + (offsets[lane] as number)));
        if (from === undefined || second === undefined) throw new RangeError("lanes: expected two windows");
        e.emit(avx.vmovdqu_xmm_load, xmm(half), from);
        e.emit(avx.vinserti128, ymm(half), ymm(half), second, 1);
        e.emit(avx.vpshufb, ymm(half), ymm(half), registerOf(control));
        if (i > 0) e.emit(avx.vpor, ymm(number), ymm(number), ymm(half));
      });
    },
  };
}

/** As few windows as hold a lane's bytes; none begins past `lastBytes`. */
function windowsOf(near: Near, packedBytes: number, lastBytes: number): readonly Window[] {
  const windows: Window[] = [];
  for (let i = 0; i < LANE_BYTES; i++) {
    const scattered = scatteredByte(near, packedBytes + i);
    let window = windows.at(-1);
    if (window === undefined || scattered >= window.offsetBytes + LANE_BYTES) {
      window = { offsetBytes: Math.min(scattered, lastBytes), control: new Uint8Array(LANE_BYTES).fill(ZERO) };
      windows.push(window);
    }
    window.control[i] = scattered - window.offsetBytes;
  }
  return windows;
}
