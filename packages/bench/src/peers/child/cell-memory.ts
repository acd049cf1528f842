import { cellsOf, type Cell } from "../../cell/cell.js";
import { elementsOf } from "../../workloads/subject.js";
import type { CellSpec } from "../protocol.js";
import type { CellMemory } from "./peer.js";
import { privateMemory, type Allocate } from "./shared-memory.js";

/** The byte that fills memory before a contender writes it: where the datatype has no byte, it must stay. */
export const CANARY = 0x5a;

type Arrays = readonly [scattered: Uint8Array, packed: Uint8Array, spare: Uint8Array];

/** Makes the memory of cells. The two directions of a workload follow each other and share their data. */
export class CellMemories {
  readonly #allocate: Allocate;
  #key = "";
  #data: Cell | undefined;

  constructor(allocate: Allocate = privateMemory) {
    this.#allocate = allocate;
  }

  make(spec: CellSpec): CellMemory {
    const data = this.#dataOf(spec);
    const { datatype, originBytes, pattern, packedBytes, packed: content } = data;
    const [scattered, packed, spare] = this.#allocate([pattern.sizeBytes, packedBytes, packedBytes]) as Arrays;
    if (spec.direction === "pack") {
      pattern.copyTo(scattered, 0, 0, pattern.sizeBytes);
      packed.fill(CANARY);
    } else {
      scattered.fill(CANARY);
      packed.set(content);
    }
    return { ...spec, datatype, originBytes, scattered, packed, spare, content };
  }

  #dataOf({ subject, scaleBytes, count }: CellSpec): Cell {
    const key = JSON.stringify([subject, scaleBytes, count]);
    if (this.#data !== undefined && key === this.#key) return this.#data;
    this.#data = undefined; // let go of the old before making the new
    const { name, datatype } = elementsOf(subject, scaleBytes ?? undefined);
    const [data] = cellsOf(name, datatype, count) as readonly [Cell, Cell];
    this.#data = data;
    this.#key = key;
    return data;
  }
}
