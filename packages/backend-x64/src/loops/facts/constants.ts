/** Bytes of a vector whose masks these are. */
const VECTOR_BYTES = 64;
/** k1 to k6: k7 stays free for what changes from move to move, and k0 means no mask. */
const MOST_MASKS = 6;
/** zmm16 to zmm31: the lower half stays free for moves. */
const MOST_VECTORS = 16;

/** The mask of the first `bytes` bytes. */
export const firstBytes = (bytes: number): bigint => (1n << BigInt(bytes)) - 1n;

/** All bytes of a vector, which needs no mask. */
export const ALL_BYTES = firstBytes(VECTOR_BYTES);

/**
 * Masks and index vectors that no move of a program changes: a plan that needs one takes a register for it, in the
 * order in which plans are asked for, and all are filled where the program is entered.
 */
export class Constants {
  readonly #masks: bigint[] = [];
  readonly #vectors = new Map<string, Int32Array<ArrayBuffer>>();

  /** In the order of their registers. */
  get masks(): readonly bigint[] {
    return this.#masks;
  }

  /** In the order of their registers. */
  get vectors(): readonly Int32Array<ArrayBuffer>[] {
    return [...this.#vectors.values()];
  }

  get isEmpty(): boolean {
    return this.#masks.length + this.#vectors.size === 0;
  }

  /** Whether a mask has a register from now on. */
  takeMask(value: bigint): boolean {
    if (value === ALL_BYTES || this.#masks.includes(value)) return true;
    return this.#masks.length < MOST_MASKS && this.#masks.push(value) > 0;
  }

  /** Two masks and a vector of 64 bytes, which is returned; undefined: no registers are left, and none is taken. */
  takePermutation(bytes: Uint8Array<ArrayBuffer>, masks: readonly [bigint, bigint]): Int32Array | undefined {
    if (this.#masks.length + masks.length > MOST_MASKS) return undefined;
    const key = bytes.join();
    if (!this.#vectors.has(key) && this.#vectors.size === MOST_VECTORS) return undefined;
    const vector = this.#vectors.get(key) ?? new Int32Array(bytes.buffer);
    this.#vectors.set(key, vector);
    for (const mask of masks) this.takeMask(mask);
    return vector;
  }
}
