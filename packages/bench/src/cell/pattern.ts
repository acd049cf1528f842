/** A prime number of words: strides and planes, which powers of two are often near, never come close to a multiple. */
const PERIOD_WORDS = 1_048_573;
export const PERIOD_BYTES = PERIOD_WORDS * 4;

/**
 * The bytes that a cell holds: random ones, over again after a period of 4,194,292 bytes (a prime number of words).
 * They repeat at no stride that a datatype has, so a block from the wrong place shows; and any part of them is at hand
 * without memory for the whole.
 */
export class Pattern {
  /** The length of the pattern in bytes. */
  readonly sizeBytes: number;
  /** Up to two periods, so that a block of up to one lies in one piece. */
  readonly #bytes: Uint8Array;

  /** Makes a pattern of so many bytes; it keeps two periods at most. */
  constructor(sizeBytes: number) {
    this.sizeBytes = sizeBytes;
    this.#bytes = randomBytes(Math.min(sizeBytes, 2 * PERIOD_BYTES));
  }

  /** Copies `lengthBytes` bytes of the pattern from byte `from` on to `target`, from its byte `to` on. */
  copyTo(target: Uint8Array, to: number, from: number, lengthBytes: number): void {
    let at = from % PERIOD_BYTES;
    for (let done = 0; done < lengthBytes; at = 0) {
      const part = Math.min(lengthBytes - done, this.#bytes.length - at);
      copyBlock(target, to + done, this.#bytes, at, part);
      done += part;
    }
  }

  /** All bytes of the pattern, in memory of their own. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.sizeBytes);
    this.copyTo(bytes, 0, 0, Math.min(this.sizeBytes, PERIOD_BYTES));
    for (let done = PERIOD_BYTES; done < this.sizeBytes; done *= 2) bytes.copyWithin(done, 0, done);
    return bytes;
  }
}

/** xorshift32, Marsaglia 2003. */
function randomBytes(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(sizeBytes / 4) * 4);
  const words = new Uint32Array(bytes.buffer, 0, Math.min(PERIOD_WORDS, bytes.length / 4));
  let state = 0x9e3779b9;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return bytes.copyWithin(PERIOD_BYTES, 0);
}

/** Below this, a loop takes less time than making a view and calling set. */
const WORTH_A_SET_BYTES = 96;

function copyBlock(target: Uint8Array, to: number, source: Uint8Array, from: number, lengthBytes: number): void {
  if (lengthBytes >= WORTH_A_SET_BYTES) target.set(source.subarray(from, from + lengthBytes), to);
  else for (let i = 0; i < lengthBytes; i++) target[to + i] = source[from + i] as number;
}
