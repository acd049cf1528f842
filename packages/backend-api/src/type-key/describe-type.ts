import { boundsOf, childrenOf, contents, type BoundsOptions, type Datatype } from "@stowage/ir";
import { recordFormat, type RecordFormat } from "../record-format.js";
import { murmur3 } from "./murmur-3.js";

/** The number of each constructor in a description (describeType). */
export const DESCRIPTION_KINDS: Readonly<Record<Datatype["kind"], number>> = {
  predefined: 0,
  contiguous: 1,
  vector: 2,
  hvector: 3,
  indexed: 4,
  hindexed: 5,
  indexed_block: 6,
  hindexed_block: 7,
  struct: 8,
  subarray: 9,
  darray: 10,
  resized: 11,
  dup: 12,
};

/** How a node of a description begins. */
export const DESCRIPTION_NODE: RecordFormat = recordFormat(
  "description_node",
  "How a node of a description begins; its lists follow.",
  [
    ["words", "i64", "that follow this one"],
    ["kind", "i64", "its constructor"],
    ["lowerBound", "i64", ""],
    ["extent", "i64", ""],
    ["integers", "i64", "how many follow; behind them addresses, and children, each list behind its length"],
  ],
);

/** The name that all MPIs give a type which some also call otherwise. MPI 4.1, table 3.2. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["MPI_LONG_LONG", "MPI_LONG_LONG_INT"],
  ["MPI_C_FLOAT_COMPLEX", "MPI_C_COMPLEX"],
]);

/**
 * The canonical bytes of a datatype, from its envelope and contents (MPI 4.1, section 5.1.13) and from the lower bound
 * and extent of every node as an MPI reports them. MPIs pad differently, so `options` say whose rule of bounds holds.
 * Constants of orders and distributions are this package's. A C program makes the same bytes from a handle, with
 * runtime/stowage_mpi.h.
 *
 * Nodes follow one another, children first, equal ones once. Each is words of 64 bits, little-endian: how many follow;
 * the constructor, lower bound and extent in bytes; then integers, addresses and children, each list behind its length.
 * A child is the number of its node. A predefined type's integers are the letters of its name.
 */
export function describeType(datatype: Datatype, options: BoundsOptions = {}): Uint8Array<ArrayBuffer> {
  const nodes = new NodeBytes();
  const numbers = new Map<Datatype, number>();
  // From left to right, as a program that walks a handle meets them; nesting costs no native stack.
  const open = [{ node: datatype, nextChild: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = childrenOf(top.node)[top.nextChild++];
    if (child !== undefined && !numbers.has(child)) open.push({ node: child, nextChild: 0 });
    if (child !== undefined) continue;
    numbers.set(top.node, nodes.number(wordsOf(top.node, numbers, options)));
    open.pop();
  }
  return nodes.joined();
}

function wordsOf(node: Datatype, numbers: ReadonlyMap<Datatype, number>, options: BoundsOptions): readonly number[] {
  const { lowerBoundBytes, extentBytes } = boundsOf(node, options);
  const { integers, addresses } = node.kind === "predefined" ? named(node.name) : contents(node);
  const children = childrenOf(node).map((child) => numbers.get(child) as number);
  const lists = [integers, addresses, children].flatMap((list) => [list.length, ...Array.from(list)]);
  return [3 + lists.length, DESCRIPTION_KINDS[node.kind], lowerBoundBytes, extentBytes, ...lists];
}

const named = (name: string) => ({
  integers: Array.from(SYNONYMS.get(name) ?? name, (letter) => letter.charCodeAt(0)),
  addresses: [],
});

/** Nodes by their bytes. */
class NodeBytes {
  readonly #nodes: Uint8Array[] = [];
  readonly #byHash = new Map<string, number[]>();

  /** The number of a node with these words: a new one, or one like it. */
  number(words: readonly number[]): number {
    const bytes = new Uint8Array(8 * words.length);
    const view = new DataView(bytes.buffer);
    words.forEach((word, i) => view.setBigInt64(8 * i, BigInt(word), true));
    const hash = murmur3(bytes, 0).join();
    const alike = this.#byHash.get(hash) ?? [];
    const known = alike.find((number) => sameBytes(this.#nodes[number] as Uint8Array, bytes));
    if (known !== undefined) return known;
    const number = this.#nodes.push(bytes) - 1;
    this.#byHash.set(hash, [...alike, number]);
    return number;
  }

  joined(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#nodes.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const bytes of this.#nodes) {
      all.set(bytes, at);
      at += bytes.length;
    }
    return all;
  }
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
