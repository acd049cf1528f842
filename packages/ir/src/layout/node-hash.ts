import type { IntegerTable } from "../integer-table.js";
import type { LayoutNode } from "./node.js";
import { visitNodes } from "./visit-nodes.js";

/** Two 32-bit lanes, mixed independently: 64 bits of hash without BigInt. */
export interface HashLanes {
  readonly high: number;
  readonly low: number;
}

const known = new WeakMap<LayoutNode, HashLanes>();

/** Equal nodes have equal hashes, whatever the width of their tables. Each distinct node is hashed once, ever. */
export function nodeHash(root: LayoutNode): HashLanes {
  visitNodes(
    root,
    (node) => known.has(node),
    (node) => known.set(node, hashOne(node)),
  );
  return known.get(root) as HashLanes;
}

const KIND = { dense: 1, stream: 2, blocks: 3, sequence: 4 } as const;

function hashOne(node: LayoutNode): HashLanes {
  const mixer = new HashMixer();
  mixer.add(KIND[node.kind]);
  switch (node.kind) {
    case "dense":
      mixer.add(node.lengthBytes);
      break;
    case "stream":
      mixer.add(node.count);
      mixer.add(node.strideBytes);
      mixer.addLanes(known.get(node.child) as HashLanes);
      break;
    case "blocks":
      mixer.addTable(node.displacementsBytes);
      if (node.blocklengths === 1) mixer.add(1);
      else mixer.addTable(node.blocklengths);
      mixer.add(node.strideBytes);
      mixer.addLanes(known.get(node.child) as HashLanes);
      break;
    case "sequence":
      for (const member of node.members) {
        mixer.add(member.offsetBytes);
        mixer.addLanes(known.get(member.node) as HashLanes);
      }
      break;
  }
  return mixer.lanes();
}

const TWO_32 = 4294967296;

/**
 * Multiply-and-rotate mixing, with the odd constants of xxHash32 in one lane and of MurmurHash3 in the other.
 * Bitwise operators see halves of integers only, never a whole offset.
 */
export class HashMixer {
  #high = 0x9747b28c;
  #low = 0x165667b1;

  /** A value of 32 bits is one word; others are their two halves. */
  add(value: number): void {
    const word = value | 0;
    if (word === value) return this.#addWord(word);
    // The low half wraps into 32 bits by itself; the high half is what a shift by 32 would leave.
    this.#addWord((value % TWO_32) | 0);
    this.#addWord(Math.floor(value / TWO_32) | 0);
  }

  addLanes({ high, low }: HashLanes): void {
    this.#addWord(high);
    this.#addWord(low);
  }

  /** As if each entry were added by itself. The lanes are local in the loop, which runs over millions of entries. */
  addTable(table: IntegerTable): void {
    this.add(table.length);
    let [high, low] = [this.#high, this.#low];
    for (let i = 0; i < table.length; i++) {
      const value = table[i] as number;
      const word = value | 0;
      if (word === value) {
        high = mixHigh(high, word);
        low = mixLow(low, word);
      } else {
        const upper = Math.floor(value / TWO_32) | 0;
        high = mixHigh(mixHigh(high, (value % TWO_32) | 0), upper);
        low = mixLow(mixLow(low, (value % TWO_32) | 0), upper);
      }
    }
    this.#high = high;
    this.#low = low;
  }

  lanes(): HashLanes {
    return { high: finish(this.#high), low: finish(this.#low) };
  }

  #addWord(word: number): void {
    this.#high = mixHigh(this.#high, word);
    this.#low = mixLow(this.#low, word);
  }
}

function mixHigh(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ Math.imul(word, 0x85ebca77), 0x9e3779b1);
  return (mixed << 13) | (mixed >>> 19);
}

function mixLow(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ Math.imul(word, 0xcc9e2d51), 0x1b873593);
  return (mixed << 15) | (mixed >>> 17);
}

function finish(lane: number): number {
  let mixed = lane ^ (lane >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
