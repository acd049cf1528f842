import type { Binding, Buffer, Conditions, Kernel } from "@stowage/backend-api";
import type { Transfer } from "../cases/transfer.js";
import { require } from "../law-violation.js";
import { byteAt, patternBytes, type Pattern } from "../memory/pattern.js";
import type { TestMemory } from "../memory/test-memory.js";
import { entriesIn, type Range } from "../reference/byte-map.js";

const CANARY: Pattern = { seed: 99, nans: false };

export interface StandParts {
  readonly kernel: Kernel;
  readonly transfer: Transfer;
  readonly range: Range;
  readonly conditions: Conditions;
  /** The memories that the two sides lie in. */
  readonly source: TestMemory;
  readonly target: TestMemory;
  readonly addressSpaces: boolean;
}

/** A good move, to be spoiled in one way: all of it, in buffers that are exactly long enough. */
export class Fixture {
  readonly parts: StandParts;
  readonly #extra: { readonly memory: TestMemory; readonly buffer: Buffer }[] = [];

  constructor(parts: StandParts) {
    this.parts = parts;
  }

  /** The good binding. */
  get binding(): Binding {
    return this.parts.transfer.binding(this.parts.range);
  }

  /** More memory for one side, which nothing may write to either. */
  allocate(side: "source" | "target", sizeBytes: number): Buffer {
    const memory = this.parts[side];
    const buffer = memory.allocate(sizeBytes);
    memory.write(buffer, 0, patternBytes(CANARY, 0, sizeBytes));
    this.#extra.push({ memory, buffer });
    return buffer;
  }

  /** An offset, from the datatype's address 0, with a byte of one and the same entry before and after it. */
  middleOfABlock(side: "source" | "target"): number | undefined {
    for (const { offsetBytes, lengthBytes } of entriesIn(this.parts.transfer[side].subject.map, this.parts.range)) {
      if (lengthBytes > 1) return offsetBytes + 1;
    }
    return undefined;
  }

  /** Both sides, and what else was allocated, must be as they were, save for what was expected to move. */
  requireAsExpected(what: string): void {
    const problem = this.parts.transfer.problem();
    require(problem === undefined, `memory after ${what}: ${problem}`);
    for (const { memory, buffer } of this.#extra) {
      const at = memory.read(buffer, 0, buffer.sizeBytes).findIndex((byte, i) => byte !== byteAt(CANARY, i));
      require(at < 0, `memory after ${what}: byte ${at} of a buffer that was refused has changed`);
    }
  }

  free(): void {
    for (const { memory, buffer } of this.#extra) memory.free?.(buffer);
  }
}
