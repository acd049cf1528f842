/**
 * Code of one move for calls that move whole elements, and fewer than so many packed bytes; it has no out-of-cache
 * loops.
 */
export interface FullCode {
  readonly address: number;
  readonly elementBytes: number;
  readonly belowBytes: number;
}

/** Where the code of one move is. Code for every call is written when the first one comes that needs it. */
export class MoveCode {
  readonly #fullAddress: number;
  readonly #elementBytes: number;
  readonly #belowBytes: number;
  readonly #write: () => number;
  #anyAddress: number | undefined;

  /** `write`: writes code for any call, and gives its address. */
  constructor(write: () => number, full: FullCode = { address: 0, elementBytes: 0, belowBytes: 0 }) {
    this.#write = write;
    this.#fullAddress = full.address;
    this.#elementBytes = full.elementBytes;
    this.#belowBytes = full.belowBytes;
  }

  /** For `length` packed bytes of `count` elements, from the first one on where they are all. */
  addressFor(count: number, length: number): number {
    const isFull = length < this.#belowBytes && length === count * this.#elementBytes;
    return isFull ? this.#fullAddress : this.addressForAny();
  }

  /** The address of code that moves any range. */
  addressForAny(): number {
    return (this.#anyAddress ??= this.#write());
  }
}
