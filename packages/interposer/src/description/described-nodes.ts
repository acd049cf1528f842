import { DatatypeError } from "@stowage/ir";

/**
 * One node of a description, as MPI_Type_get_envelope, _contents and _extent told it. Children: earlier nodes' numbers.
 */
export interface DescribedNode {
  readonly combiner: number;
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
  readonly integers: readonly number[];
  readonly addresses: readonly number[];
  readonly children: readonly number[];
}

const WORD_BYTES = 8;

/**
 * The nodes in a description's bytes (describeType of backend-api says how they lie), children first.
 * @throws DatatypeError where the bytes are cut short or hold numbers beyond the safe integers.
 */
export function describedNodes(description: Uint8Array): readonly DescribedNode[] {
  const words = new WordReader(description);
  const nodes: DescribedNode[] = [];
  while (!words.atEnd) {
    const end = words.one() + words.at;
    nodes.push({
      combiner: words.one(),
      lowerBoundBytes: words.one(),
      extentBytes: words.one(),
      integers: words.list(),
      addresses: words.list(),
      children: words.list(),
    });
    if (words.at !== end) throw damaged(`a node that ends at word ${end}`, `one that ends at ${words.at}`);
  }
  return nodes;
}

export const damaged = (expected: string, got: string): DatatypeError =>
  new DatatypeError({ subject: "description of a datatype", expected, got });

class WordReader {
  readonly #view: DataView;
  readonly #length: number;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#length = bytes.byteLength / WORD_BYTES;
    if (!Number.isInteger(this.#length)) throw damaged("words of 8 bytes", `${bytes.byteLength} bytes`);
  }

  get atEnd(): boolean {
    return this.at === this.#length;
  }

  one(): number {
    if (this.at >= this.#length) throw damaged("whole nodes", `an end at word ${this.at}`);
    const word = Number(this.#view.getBigInt64(WORD_BYTES * this.at, true));
    if (!Number.isSafeInteger(word)) throw damaged("safe integers", `${word} at word ${this.at}`);
    this.at++;
    return word;
  }

  list(): readonly number[] {
    const length = this.one();
    if (length < 0 || length > this.#length - this.at) throw damaged("a list within it", `one of ${length} words`);
    return Array.from({ length }, () => this.one());
  }
}
