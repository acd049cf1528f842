import type { DameState } from "./dame-state.js";
import type { HostMemory, HostRegion } from "./host-memory.js";
import { Cursor } from "./cursor.js";
import { reachOf } from "./level.js";

/** One side of a transfer: a program's state, the memory that it walks, and the cursor that its inner loops take. */
export class Side {
  readonly state: DameState;
  readonly memory: HostMemory;
  readonly cursor = new Cursor();

  constructor(state: DameState, memory: HostMemory) {
    this.state = state;
    this.memory = memory;
  }

  /** The region that all bytes are in from now on; EMPTY_REGION keeps hold of nothing. */
  hold(region: HostRegion): void {
    this.memory.hold(region);
    this.cursor.region = region;
  }

  /** Bytes of the current block that have not moved. */
  get restBytes(): number {
    return this.state.blockBytes - this.state.usedBytes;
  }

  get isIrregular(): boolean {
    return this.state.leaf.displacementsBytes !== undefined;
  }

  /** Equal blocks ahead, the current one included, where nothing of it has moved. */
  get wholeBlocks(): number {
    const { usedBytes, leaf, blockCount, block } = this.state;
    return usedBytes === 0 && leaf.starts === undefined ? blockCount - block : 0;
  }

  /**
   * Lays the cursor over what moves next: `count` of the leaf's blocks where they are `blockBytes` long, else that
   * much of the current run. False where the bytes are not all in one region, or too far apart for an inner loop.
   */
  placeBlocks(count: number, blockBytes: number): boolean {
    const { leaf, blockBytes: own, leafBaseBytes, blockOffsetBytes } = this.state;
    if (own !== blockBytes) return this.placeRun(count * blockBytes, blockBytes);
    if (leaf.displacementsBytes !== undefined) return this.placeTable(leafBaseBytes, count);
    const reachBytes = (count - 1) * leaf.strideBytes;
    const lowBytes = blockOffsetBytes + Math.min(0, reachBytes);
    const highBytes = blockOffsetBytes + Math.max(0, reachBytes) + blockBytes;
    return this.#place(lowBytes, highBytes, blockOffsetBytes, leaf.strideBytes);
  }

  /** Lays the cursor over `count` of the leaf's irregular blocks. */
  placeTable(baseBytes: number, count: number): boolean {
    const { leaf, block } = this.state;
    const { words } = leaf;
    if (words === undefined) return false;
    if (!this.#place(baseBytes + words.lowBytes, baseBytes + words.highBytes, baseBytes, 0)) {
      const { lowBytes, highBytes } = reachOf(leaf, block, count);
      if (!this.#place(baseBytes + lowBytes, baseBytes + highBytes, baseBytes, 0)) return false;
    }
    this.cursor.table = words;
    this.cursor.block = block;
    return true;
  }

  /** Lays the cursor over the next `lengthBytes` of the current run, as blocks of `strideBytes` side by side. */
  placeRun(lengthBytes: number, strideBytes: number): boolean {
    const offsetBytes = this.state.blockOffsetBytes + this.state.usedBytes;
    return this.#place(offsetBytes, offsetBytes + lengthBytes, offsetBytes, strideBytes);
  }

  #place(lowBytes: number, highBytes: number, offsetBytes: number, strideBytes: number): boolean {
    const region = this.memory.find(lowBytes, highBytes);
    if (region === undefined) return false;
    const { cursor } = this;
    cursor.region = region;
    cursor.at = Math.floor(offsetBytes + region.shiftBytes); // an integer already; inWords says what for
    cursor.strideBytes = strideBytes;
    cursor.table = undefined;
    return true;
  }
}
