import type { IntegerTable } from "@stowage/ir";
import type { LoadedDame } from "./load-dame.js";
import { BY_COPIES, childOf, copiesOf, iterationAt, nextIteration, offsetOf, startOf, type Level } from "./level.js";

/** Numbers of an open loop: its iteration, how many there are, and the offset of iteration 0. */
const FIELDS = 3;

/**
 * Where the interpreter of one program stands (Prabhu and Gropp 2017, section 3.4): a stack of open loops, and in the
 * innermost, a FINAL primitive, the block that moves next and how much of it has moved. A call that stops short leaves
 * the state where it stopped, and the next resumes there. Offsets count from the memory's byte 0.
 */
export class DameState {
  /** The program that it runs. */
  readonly loaded: LoadedDame;
  /** The byte of the packed stream that moves next. */
  packedByte = 0;
  /** The packed bytes of all elements. */
  endByte = 0;
  /** The innermost loop, which lists the blocks that move next. */
  leaf: Level;
  /** The offset that the leaf's blocks count from. */
  leafBaseBytes = 0;
  /** The index in the leaf of the block that moves next. */
  block = 0;
  /** How many blocks the leaf has here. */
  blockCount = 0;
  /** The bytes of the block that moves next. */
  blockBytes = 0;
  /** How many bytes of that block have moved. */
  usedBytes = 0;
  /** The open loops around the leaf, outermost first; of each, FIELDS numbers in the stack. */
  #depth = 0;
  readonly #levels: Level[] = [];
  readonly #stack: number[] = [];

  /** Begins with no element; startState makes a state that can run. */
  constructor(loaded: LoadedDame) {
    this.loaded = loaded;
    this.leaf = loaded.root;
  }

  /**
   * Goes to any byte of the packed stream of `count` elements, in O(depth + log n). `originBytes` is where the
   * datatype's address 0 lies.
   */
  seek(count: number, packedByte: number, originBytes: number): void {
    const { root, sizeBytes, startBytes } = this.loaded;
    this.endByte = count * sizeBytes;
    this.packedByte = packedByte;
    this.#depth = 0;
    if (packedByte < this.endByte) this.#enter(root, originBytes + startBytes, count, packedByte);
  }

  /** Whether all elements have moved. */
  get done(): boolean {
    return this.packedByte === this.endByte;
  }

  /** The offset of the block that moves next, before the bytes of it that have moved. */
  get blockOffsetBytes(): number {
    const { displacementsBytes, strideBytes } = this.leaf;
    if (displacementsBytes !== undefined) return this.leafBaseBytes + (displacementsBytes[this.block] as number);
    return this.leafBaseBytes + this.block * strideBytes;
  }

  /** Notes that bytes of the current block have moved; at its end the state goes to the next block. */
  takeBytes(lengthBytes: number): void {
    this.packedByte += lengthBytes;
    this.usedBytes += lengthBytes;
    if (this.usedBytes < this.blockBytes) return;
    this.usedBytes = 0;
    this.#toBlock(this.block + 1);
  }

  /** Notes that so many whole blocks of this leaf have moved, of `lengthBytes` bytes together. */
  takeBlocks(blocks: number, lengthBytes: number): void {
    this.packedByte += lengthBytes;
    this.#toBlock(this.block + blocks);
  }

  /** The stack of open loops, outermost first; empty where all has moved. */
  trace(): readonly TraceEntry[] {
    if (this.done) return [];
    const open = this.#levels.slice(0, this.#depth).map((level, i) => ({
      primitive: level.primitive,
      iteration: this.#stack[i * FIELDS] as number,
      count: this.#stack[i * FIELDS + 1] as number,
      offsetBytes: this.#stack[i * FIELDS + 2] as number,
    }));
    const { leaf, block, blockCount, leafBaseBytes } = this;
    return [...open, { primitive: leaf.primitive, iteration: block, count: blockCount, offsetBytes: leafBaseBytes }];
  }

  #toBlock(block: number): void {
    this.block = block;
    if (this.leaf.starts === undefined) {
      if (block === this.blockCount) this.#leave();
    } else this.#toVaryingBlock(this.leaf.starts);
  }

  #toVaryingBlock(starts: IntegerTable): void {
    while (this.block < this.blockCount) {
      this.blockBytes = (starts[this.block + 1] as number) - (starts[this.block] as number);
      if (this.blockBytes > 0) return;
      this.block++;
    }
    this.#leave();
  }

  /** Back to the innermost loop that has an iteration left, and into it. At the EXIT no loop is open. */
  #leave(): void {
    const stack = this.#stack;
    for (; this.#depth > 0; this.#depth--) {
      const at = (this.#depth - 1) * FIELDS;
      const level = this.#levels[this.#depth - 1] as Level;
      const next = nextIteration(level, stack[at] as number);
      const count = stack[at + 1] as number;
      if (next * level.tile >= count) continue;
      stack[at] = next;
      const baseBytes = (stack[at + 2] as number) + offsetOf(level, next);
      return this.#enter(childOf(level, next), baseBytes, copiesOf(level, next, count), 0);
    }
  }

  /** From `outer` inwards to the block that holds packed byte `skipBytes` of it. */
  #enter(outer: Level, outerBaseBytes: number, outerCopies: number, skipBytes: number): void {
    let level = outer;
    let baseBytes = outerBaseBytes;
    let copies = outerCopies;
    let skip = skipBytes;
    while (!level.leaf) {
      const iteration = iterationAt(level, skip);
      skip -= startOf(level, iteration);
      const count = level.count === BY_COPIES ? copies : level.count;
      this.#open(level, iteration, count, baseBytes);
      baseBytes += offsetOf(level, iteration);
      copies = copiesOf(level, iteration, count);
      level = childOf(level, iteration);
    }
    this.#enterLeaf(level, baseBytes, level.count === BY_COPIES ? copies : level.count, skip);
  }

  #open(level: Level, iteration: number, count: number, baseBytes: number): void {
    const at = this.#depth * FIELDS;
    this.#stack[at] = iteration;
    this.#stack[at + 1] = count;
    this.#stack[at + 2] = baseBytes;
    this.#levels[this.#depth++] = level;
  }

  #enterLeaf(leaf: Level, baseBytes: number, count: number, skipBytes: number): void {
    const { stepBytes, strideBytes, displacementsBytes, starts } = leaf;
    const oneRun = strideBytes === stepBytes && displacementsBytes === undefined;
    this.leaf = leaf;
    this.leafBaseBytes = baseBytes;
    this.blockCount = oneRun ? 1 : count;
    this.block = oneRun ? 0 : iterationAt(leaf, skipBytes);
    this.blockBytes = oneRun ? count * stepBytes : stepBytes;
    if (starts !== undefined) this.blockBytes = (starts[this.block + 1] as number) - (starts[this.block] as number);
    this.usedBytes = oneRun ? skipBytes : skipBytes - startOf(leaf, this.block);
  }
}

/** One open loop of a state, and its progress. */
export interface TraceEntry {
  /** The index of the loop in the program's primitives; -1: the loop over elements. */
  readonly primitive: number;
  /** Its iteration, from 0. */
  readonly iteration: number;
  /** How many iterations it has. */
  readonly count: number;
  /** The offset where the loop begins. */
  readonly offsetBytes: number;
}
