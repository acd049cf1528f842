import { ascendingOrder, type IntegerTable } from "@stowage/ir";
import { lowest, MOST_ACROSS, type AddressIndex, type Found } from "./address-index.js";

/** Pieces at places of their own, in packed order. */
export interface Pieces {
  readonly starts: IntegerTable;
  /** Where piece i begins in the packed stream. */
  readonly packedAt: (i: number) => number;
  /** What stands there: one of a few pieces, by its number. */
  readonly pieces: readonly AddressIndex[];
  readonly numbers: Uint32Array | undefined;
}

/**
 * A list of pieces: sorted once by where they start, then searched. Pieces without bytes are left out by the caller.
 */
export class PiecesIndex implements AddressIndex {
  readonly sizeBytes: number;
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly exact: boolean;
  readonly #pieces: Pieces;
  /** Pieces by ascending start; undefined where they ascend already. */
  readonly #order: Uint32Array | undefined;
  /** Entry i: the least byte of sorted pieces; entry n + 1 of the sums: bytes of the first n. */
  readonly #lows: Float64Array;
  readonly #bytes: Float64Array;
  /** Entry i: the highest byte of sorted pieces 0 to i. */
  readonly #reach: Float64Array;

  constructor(pieces: Pieces) {
    const { length } = pieces.starts;
    this.#pieces = pieces;
    this.#lows = new Float64Array(length);
    this.#bytes = new Float64Array(length + 1);
    this.#reach = new Float64Array(length);
    this.#order = ascendingOrder(lowsOf(pieces));
    let [high, disjoint, exact] = [-Infinity, true, true];
    for (let i = 0; i < length; i++) {
      const piece = this.#piece(i);
      const start = this.#start(i);
      const low = start + piece.lowBytes;
      if (low < high) disjoint = false;
      high = Math.max(high, start + piece.highBytes);
      exact &&= piece.exact;
      this.#lows[i] = low;
      this.#reach[i] = high;
      this.#bytes[i + 1] = (this.#bytes[i] as number) + piece.sizeBytes;
    }
    this.exact = exact && (disjoint || length <= MOST_ACROSS);
    this.sizeBytes = this.#bytes[length] as number;
    this.lowBytes = length === 0 ? 0 : (this.#lows[0] as number);
    this.highBytes = length === 0 ? 0 : high;
  }

  before(address: number): number {
    const end = countBelow(this.#lows, address);
    const first = this.#firstAcross(address, end);
    let bytes = this.#bytes[first] as number;
    if (end - first > MOST_ACROSS) return bytes + ((this.#bytes[end] as number) - bytes) / 2;
    for (let i = first; i < end; i++) bytes += this.#piece(i).before(address - this.#start(i));
    return bytes;
  }

  from(address: number): Found | undefined {
    const { length } = this.#lows;
    const end = countBelow(this.#lows, address);
    const first = Math.max(this.#firstAcross(address, end), end - MOST_ACROSS);
    let found: Found | undefined;
    for (let i = first; i < length; i++) {
      if (i >= end && found !== undefined && found.address <= (this.#lows[i] as number)) break;
      found = lowest(found, this.#placed(i, this.#piece(i).from(address - this.#start(i))));
    }
    return found;
  }

  /** Pieces before this one lie wholly below the address: no piece there reaches it. */
  #firstAcross(address: number, end: number): number {
    return Math.min(end, countBelow(this.#reach, address + 1));
  }

  #nth(i: number): number {
    return this.#order === undefined ? i : (this.#order[i] as number);
  }

  #piece(i: number): AddressIndex {
    return pieceAt(this.#pieces, this.#nth(i));
  }

  #start(i: number): number {
    return this.#pieces.starts[this.#nth(i)] as number;
  }

  #placed(i: number, found: Found | undefined): Found | undefined {
    if (found === undefined) return undefined;
    const packed = this.#pieces.packedAt(this.#nth(i)) + found.packed;
    return { address: this.#start(i) + found.address, packed };
  }
}

/** Absent numbers: each is the first. */
const pieceAt = ({ pieces, numbers }: Pieces, i: number): AddressIndex =>
  pieces[numbers === undefined ? 0 : (numbers[i] as number)] as AddressIndex;

function lowsOf(pieces: Pieces): IntegerTable {
  if (pieces.pieces.every(({ lowBytes }) => lowBytes === 0)) return pieces.starts;
  const lows = new Float64Array(pieces.starts.length);
  for (let i = 0; i < lows.length; i++) lows[i] = (pieces.starts[i] as number) + pieceAt(pieces, i).lowBytes;
  return lows;
}

/** How many entries of an ascending list are below a value. */
function countBelow(list: Float64Array, value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
