/**
 * Code of one move for calls that move whole elements, and fewer than so many packed bytes; it has no out-of-cache
 * loops.
 */
export interface FullCode {
  /** The address of the code. */
  readonly address: number;
  /** Packed bytes of one element. */
  readonly elementBytes: number;
  /** Packed bytes of a call from which on the code is not used. */
  readonly belowBytes: number;
}

/** The addresses of one move's code. Code for any call is written when the first one comes that needs it. */
export class MoveCode {
  readonly #fullAddress: number;
  readonly #elementBytes: number;
  readonly #belowBytes: number;
  readonly #write: () => number;
  #anyAddress: number | undefined;

  /** `write` writes code for any call and gives its address. Default for `full`: there is no such code. */
  constructor(write: () => number, full: FullCode = { address: 0, elementBytes: 0, belowBytes: 0 }) {
    this.#write = write;
    this.#fullAddress = full.address;
    this.#elementBytes = full.elementBytes;
    this.#belowBytes = full.belowBytes;
  }

  /** The address of code that moves `length` packed bytes of `count` elements. */
  addressFor(count: number, length: number): number {
    const isFull = length < this.#belowBytes && length === count * this.#elementBytes;
    return isFull ? this.#fullAddress : this.addressForAny();
  }

  /** The address of code that moves any range. */
  addressForAny(): number {
    return (this.#anyAddress ??= this.#write());
  }
}
