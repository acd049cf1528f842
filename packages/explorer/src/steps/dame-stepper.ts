import {
  compileDame,
  loadDame,
  pack,
  printDame,
  startState,
  type DameState,
  type LoadedDame,
} from "@stowage/backend-cpu";
import type { Layout } from "@stowage/ir";

/** Where a program stands before it moves its next run of bytes, and the bytes that its interpreter moves then. */
export interface DameStep {
  readonly packedByte: number;
  /** Where the step after begins. */
  readonly nextByte: number;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  /** The open loops, outermost first; -1 as line is the loop over the elements. */
  readonly loops: readonly { readonly line: number; readonly iteration: number; readonly count: number }[];
  /** The first bytes of the run, as they were packed. */
  readonly bytes: Uint8Array;
}

const BYTES_SHOWN = 64;
const TABLE_ENTRIES = 8;

/** The DAME program of a datatype, run a step at a time; any step is found without those before it. */
export class DameStepper {
  readonly text: string;
  readonly #loaded: LoadedDame;
  readonly #count: number;
  readonly #totalBytes: number;

  constructor(layout: Layout, count: number) {
    const program = compileDame(layout);
    this.text = printDame(program, { tableEntries: TABLE_ENTRIES });
    this.#loaded = loadDame(program, layout.extentBytes);
    this.#count = count;
    this.#totalBytes = count * layout.sizeBytes;
  }

  /** The step that begins at a packed byte; undefined behind the last. */
  at(packedByte: number): DameStep | undefined {
    if (packedByte >= this.#totalBytes || packedByte < 0) return undefined;
    const state = this.#state(packedByte, 0);
    const offsetBytes = state.blockOffsetBytes + state.usedBytes;
    const lengthBytes = state.blockBytes - state.usedBytes;
    return {
      packedByte,
      nextByte: packedByte + lengthBytes,
      offsetBytes,
      lengthBytes,
      loops: state.trace().map(({ primitive, iteration, count }) => ({ line: primitive, iteration, count })),
      bytes: this.#moved(packedByte, offsetBytes, Math.min(lengthBytes, BYTES_SHOWN)),
    };
  }

  /** The step whose run ends before a packed byte; undefined before the first. */
  before(packedByte: number): DameStep | undefined {
    const last = packedByte - 1;
    return last < 0 ? undefined : this.at(last - this.#state(last, 0).usedBytes);
  }

  /** Packs from a buffer that holds the run alone: there is no other memory, however far the datatype reaches. */
  #moved(packedByte: number, offsetBytes: number, lengthBytes: number): Uint8Array {
    const source = Uint8Array.from({ length: lengthBytes }, (_, i) => byteAt(offsetBytes + i));
    const packed = new Uint8Array(lengthBytes);
    pack(this.#state(packedByte, -offsetBytes), source, packed);
    return packed;
  }

  #state(packedByte: number, originBytes: number): DameState {
    return startState(this.#loaded, { count: this.#count, packedByte, originBytes });
  }
}

/** What memory holds at an address: the pattern of the golden files, by arithmetic that takes any safe integer. */
export function byteAt(address: number): number {
  const shifted = (bits: number): number => Math.floor(address / 2 ** bits) % 256;
  return (((shifted(0) * 131 + shifted(8) * 17 + shifted(16) * 5 + 7) % 256) + 256) % 256;
}
