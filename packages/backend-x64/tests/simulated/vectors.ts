import type { Line, Operand } from "@stowage/asm-x64";
import type { SimulatedProcessor } from "./processor.js";

const VECTOR_BYTES: Readonly<Record<string, number>> = { xmm: 16, ymm: 32, zmm: 64 };
const MOVE = /^v?mov(?:dqu|dqa|ups|aps|ntdq)(8|16|32|64)?$/;

/** Bytes of the elements that an unpacking instruction interleaves, by the end of its name. */
const UNPACKED: Readonly<Record<string, number>> = { bw: 1, wd: 2, dq: 4 };

/** Runs an instruction on vectors or masks; false where it is neither. */
export function stepVector(processor: SimulatedProcessor, { row, operands, masking }: Line): boolean {
  const { memory, vectors, masks, registers } = processor;
  const [a, b, c, d] = operands;
  const numberOf = (operand: Operand | undefined): number =>
    typeof operand === "object" && operand.kind === "register" ? operand.number : -1;
  const widthOf = (operand: Operand | undefined): number =>
    typeof operand === "object" && operand.kind === "register" ? (VECTOR_BYTES[operand.class] ?? 0) : 0;
  const bytesOf = (operand: Operand | undefined, width: number): Uint8Array => {
    const number = numberOf(operand);
    if (number >= 0) return (vectors[number] as Uint8Array).slice(0, width);
    const address = processor.addressOf(operand as Operand);
    return Uint8Array.from({ length: width }, (_, i) => memory.read(address + i));
  };
  const store = (bytes: Uint8Array): void => {
    if (numberOf(a) >= 0) return set(bytes);
    const address = processor.addressOf(a as Operand);
    bytes.forEach((byte, i) => memory.write(address + i, byte));
  };
  /** VEX and EVEX clear what is above the width; legacy SSE keeps it. */
  const set = (bytes: Uint8Array): void => {
    const target = vectors[numberOf(a)] as Uint8Array;
    if (row.encoding.space !== "legacy") target.fill(0);
    target.set(bytes);
  };
  const lanes = (
    width: number,
    lane: (x: Uint8Array, y: Uint8Array) => readonly (readonly [source: 0 | 1, at: number])[],
    unit: number,
  ): void => {
    const [x, y] = [bytesOf(b, width), bytesOf(c, width)];
    const out = new Uint8Array(width);
    lane(x, y).forEach(([source, at], i) =>
      out.set((source === 0 ? x : y).subarray(at * unit, (at + 1) * unit), i * unit),
    );
    set(out);
  };

  const move = MOVE.exec(row.mnemonic);
  if (move !== null) {
    const width = Math.max(widthOf(a), widthOf(b));
    const unit = Number(move[1] ?? 8) / 8;
    const mask = masking === undefined ? undefined : (masks[masking.mask.number] as bigint);
    if (mask === undefined) store(bytesOf(b, width));
    else maskedMove(processor, a as Operand, b as Operand, width, unit, mask, masking?.zeroing === true);
    return true;
  }
  switch (row.mnemonic) {
    case "vmovq":
      if (widthOf(a) > 0)
        set(
          Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? memory.read(processor.addressOf(b as Operand) + i) : 0)),
        );
      else store(bytesOf(b, 8));
      return true;
    case "vmovhps":
      if (c === undefined) store(bytesOf(b, 16).slice(8));
      else set(Uint8Array.from([...bytesOf(b, 8), ...bytesOf(c, 8)]));
      return true;
    case "vinserti128": {
      const out = bytesOf(b, 32);
      out.set(bytesOf(c, 16), 16 * Number(d));
      set(out);
      return true;
    }
    case "vpinsrd": {
      const out = bytesOf(b, 16);
      out.set(bytesOf(c, 4), 4 * Number(d));
      set(out);
      return true;
    }
    case "vextracti128":
      store(bytesOf(b, 32).slice(16 * Number(c), 16 * Number(c) + 16));
      return true;
    case "vmovd":
      set(Uint8Array.from({ length: 16 }, (_, i) => (i < 4 ? memory.read(processor.addressOf(b as Operand) + i) : 0)));
      return true;
    case "vmovlps":
      store(bytesOf(b, 8));
      return true;
    case "vpunpcklbw":
    case "vpunpcklwd":
    case "vpunpckldq":
    case "vpunpcklqdq":
    case "vpunpckhbw":
    case "vpunpckhwd":
    case "vpunpckhdq":
    case "vpunpckhqdq": {
      const unit = row.mnemonic.endsWith("qdq") ? 8 : (UNPACKED[row.mnemonic.slice(-2)] as number);
      const half = row.mnemonic.startsWith("vpunpckh") ? 8 / unit : 0;
      // Within each lane of 16 bytes: places of its lower, or its upper, half.
      const places = Array.from(
        { length: 32 / unit },
        (_, i) => Math.floor((i * unit) / 16) * (16 / unit) + half + ((i % (16 / unit)) >> 1),
      );
      lanes(32, () => places.map((at, i) => [i % 2 === 0 ? 0 : 1, at] as const), unit);
      return true;
    }
    case "vunpcklpd":
      lanes(
        32,
        () => [
          [0, 0],
          [1, 0],
          [0, 2],
          [1, 2],
        ],
        8,
      );
      return true;
    case "vunpckhpd":
      lanes(
        32,
        () => [
          [0, 1],
          [1, 1],
          [0, 3],
          [1, 3],
        ],
        8,
      );
      return true;
    case "vpermq":
      if (row.encoding.immediateBits !== 8) return false;
      {
        const x = bytesOf(b, 32);
        set(Uint8Array.from({ length: 32 }, (_, i) => x[8 * ((Number(c) >> (2 * (i >> 3))) & 3) + (i & 7)] as number));
      }
      return true;
    case "vperm2i128": {
      const half = (control: number): readonly [0 | 1, number] => [(control & 2) === 0 ? 0 : 1, control & 1];
      lanes(32, () => [half(Number(d)), half(Number(d) >> 4)], 16);
      return true;
    }
    case "vpshufb": {
      const width = widthOf(a);
      const [x, control] = [bytesOf(b, width), bytesOf(c, width)];
      set(
        Uint8Array.from({ length: width }, (_, i) =>
          (control[i] as number) >= 128 ? 0 : (x[(i & 0x30) + ((control[i] as number) & 15)] as number),
        ),
      );
      return true;
    }
    case "vpblendd":
      lanes(32, () => Array.from({ length: 8 }, (_, i) => [((Number(d) >> i) & 1) as 0 | 1, i] as const), 4);
      return true;
    case "vpblendvb": {
      const control = bytesOf(d, 32);
      lanes(32, () => Array.from(control, (byte, i) => [(byte >> 7) as 0 | 1, i] as const), 1);
      return true;
    }
    case "vpermd": {
      const [control, x] = [new Int32Array(bytesOf(b, 32).buffer), bytesOf(c, 32)];
      set(Uint8Array.from({ length: 32 }, (_, i) => x[4 * ((control[i >> 2] as number) & 7) + (i & 3)] as number));
      return true;
    }
    case "vpor": {
      const [x, y] = [bytesOf(b, 32), bytesOf(c, 32)];
      set(x.map((byte, i) => byte | (y[i] as number)));
      return true;
    }
    case "vpmaskmovd": {
      const width = widthOf(a);
      const [control, address] = [bytesOf(b, width), processor.addressOf(c as Operand)];
      set(control.map((_, i) => ((control[i | 3] as number) >= 128 ? memory.read(address + i) : 0)));
      return true;
    }
    case "vpermb": {
      const [control, x] = [bytesOf(b, 64), bytesOf(c, 64)];
      set(control.map((at) => x[at & 63] as number));
      return true;
    }
    case "vpermt2b": {
      const [x, control, y] = [bytesOf(a, 64), bytesOf(b, 64), bytesOf(c, 64)];
      set(control.map((at) => ((at & 64) === 0 ? x : y)[at & 63] as number));
      return true;
    }
    case "kmovq": {
      const number = numberOf(b);
      masks[numberOf(a)] =
        number >= 0 ? (registers[number] as bigint) : memory.readWord(processor.addressOf(b as Operand), 8);
      return true;
    }
    case "vzeroupper":
      for (let i = 0; i < 16; i++) (vectors[i] as Uint8Array).fill(0, 16);
      return true;
    default:
      return false;
  }
}

/** Elements whose bit is clear are not touched in memory; in a register they are kept, or zeroed. */
function maskedMove(
  processor: SimulatedProcessor,
  a: Operand,
  b: Operand,
  width: number,
  unit: number,
  mask: bigint,
  zeroing: boolean,
): void {
  const { memory, vectors } = processor;
  const isVector = (operand: Operand): boolean => typeof operand === "object" && operand.kind === "register";
  const vectorOf = (operand: Operand): Uint8Array => vectors[(operand as { number: number }).number] as Uint8Array;
  const active = (i: number): boolean => ((mask >> BigInt(Math.floor(i / unit))) & 1n) === 1n;
  const from = isVector(b) ? undefined : processor.addressOf(b);
  const into = isVector(a) ? undefined : processor.addressOf(a);
  const loaded = Uint8Array.from({ length: width }, (_, i) =>
    !active(i) ? 0 : from === undefined ? (vectorOf(b)[i] as number) : memory.read(from + i),
  );
  for (let i = 0; i < width; i++) {
    if (into !== undefined) {
      if (active(i)) memory.write(into + i, loaded[i] as number);
    } else if (active(i) || zeroing) vectorOf(a)[i] = loaded[i] as number;
  }
  if (into === undefined) vectorOf(a).fill(0, width);
}
