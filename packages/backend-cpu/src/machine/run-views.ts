/** Views kept at most: more would cost memory comparable to what moves. */
const CAPACITY = 4096;

/**
 * The views that long runs are copied from. TypedArray.set is the fastest copy there is, but making a view costs
 * more than copying 512 bytes: a plan runs the same moves again and again, so it keeps the views in the order that they
 * come, and from its second run on makes none.
 */
export class RunViews {
  readonly #capacity: number;
  readonly #views: Uint8Array[] = [];
  #next = 0;

  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
  }

  /** The next run's view: bytes [from, to) of `bytes`. */
  take(bytes: Uint8Array, from: number, to: number): Uint8Array {
    const next = this.#next++;
    const kept = this.#views[next];
    if (kept !== undefined) return kept;
    const view = bytes.subarray(from, to);
    if (next < this.#capacity) this.#views.push(view);
    return view;
  }

  /** Other moves come. */
  clear(): void {
    this.#views.length = 0;
    this.#next = 0;
  }

  /** The moves come again, from the first. */
  rewind(): void {
    this.#next = 0;
  }
}
