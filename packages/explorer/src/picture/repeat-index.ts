import { clamp, lowest, MOST_ACROSS, type AddressIndex, type Found } from "./address-index.js";

export interface Repetition {
  readonly count: number;
  /** Distance in memory, and in the packed stream, from one copy to the next. */
  readonly strideBytes: number;
  readonly packedStepBytes: number;
}

/** `count` copies of a child. A negative stride is a positive one that starts at the last copy. */
export class RepeatIndex implements AddressIndex {
  readonly sizeBytes: number;
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly exact: boolean;
  readonly #count: number;
  readonly #stride: number;
  /** Address of the copy that lies lowest, its packed position, and the step to the next copy above. */
  readonly #base: number;
  readonly #packed: number;
  readonly #step: number;
  readonly #child: AddressIndex;

  constructor({ count, strideBytes, packedStepBytes }: Repetition, child: AddressIndex) {
    const last = strideBytes < 0 ? count - 1 : 0;
    this.#count = count;
    this.#stride = Math.abs(strideBytes);
    this.#base = last * strideBytes;
    this.#packed = last * packedStepBytes;
    this.#step = strideBytes < 0 ? -packedStepBytes : packedStepBytes;
    this.#child = child;
    this.sizeBytes = count * child.sizeBytes;
    this.lowBytes = this.#base + child.lowBytes;
    this.highBytes = this.#base + (count - 1) * this.#stride + child.highBytes;
    const across = Math.min(count, (child.highBytes - child.lowBytes) / this.#stride);
    this.exact = child.exact && (this.#stride === 0 || across <= MOST_ACROSS);
  }

  before(address: number): number {
    const x = address - this.#base;
    if (this.#stride === 0) return this.#count * this.#child.before(x);
    const below = this.#below(x);
    const end = this.#reaching(x);
    let bytes = below * this.#child.sizeBytes;
    if (end - below > MOST_ACROSS) return bytes + this.#estimate(x, below, end);
    for (let i = below; i < end; i++) bytes += this.#child.before(x - i * this.#stride);
    return bytes;
  }

  from(address: number): Found | undefined {
    const x = address - this.#base;
    if (this.#stride === 0) return this.#placed(0, this.#child.from(x));
    const below = this.#below(x);
    const end = Math.min(this.#reaching(x), below + MOST_ACROSS);
    let found: Found | undefined;
    for (let i = below; i <= end && i < this.#count; i++) {
      if (found !== undefined && found.address < this.#base + i * this.#stride + this.#child.lowBytes) break;
      found = lowest(found, this.#placed(i, this.#child.from(x - i * this.#stride)));
    }
    return found;
  }

  /** Copies that lie wholly below x. */
  #below(x: number): number {
    return clamp(Math.floor((x - this.#child.highBytes) / this.#stride) + 1, 0, this.#count);
  }

  /** Copies that begin below x. */
  #reaching(x: number): number {
    return clamp(Math.ceil((x - this.#child.lowBytes) / this.#stride), 0, this.#count);
  }

  /** Bytes below x of copies [from, end), each spread evenly over its span: an arithmetic series. */
  #estimate(x: number, from: number, end: number): number {
    const { lowBytes, highBytes, sizeBytes } = this.#child;
    const mean = x - ((from + end - 1) / 2) * this.#stride - lowBytes;
    return (end - from) * sizeBytes * clamp(mean / (highBytes - lowBytes), 0, 1);
  }

  #placed(copy: number, found: Found | undefined): Found | undefined {
    if (found === undefined) return undefined;
    const address = this.#base + copy * this.#stride + found.address;
    return { address, packed: this.#packed + copy * this.#step + found.packed };
  }
}
