import { cellsOf, type Cell } from "../../bench/cell.js";
import { workloadOfSize } from "../../bench/named-workloads.js";
import type { CellSpec } from "../protocol.js";
import { aligned } from "./aligned.js";
import type { CellMemory } from "./peer.js";

/** Bytes that no contender may touch where the datatype has none. */
export const CANARY = 0x5a;

/** Makes the memory of cells. The two directions of a workload follow each other and share their data. */
export class CellMemories {
  #key = "";
  #data: Cell | undefined;

  make(spec: CellSpec): CellMemory {
    const data = this.#dataOf(spec);
    const packing = spec.direction === "pack";
    return {
      ...spec,
      datatype: data.datatype,
      originBytes: data.originBytes,
      scattered: packing ? filled(data) : aligned(data.pattern.sizeBytes).fill(CANARY),
      packed: packing ? aligned(data.packedBytes).fill(CANARY) : copyOf(data.packed),
      content: data.packed,
    };
  }

  #dataOf({ workload, scaleBytes, count }: CellSpec): Cell {
    const key = JSON.stringify([workload, scaleBytes, count]);
    if (this.#data !== undefined && key === this.#key) return this.#data;
    this.#data = undefined; // let go of the old before making the new
    const { datatype } = workloadOfSize(workload, scaleBytes ?? undefined);
    const [data] = cellsOf(workload, datatype, count) as readonly [Cell, Cell];
    this.#data = data;
    this.#key = key;
    return data;
  }
}

function filled({ pattern }: Cell): Uint8Array {
  const scattered = aligned(pattern.sizeBytes);
  pattern.copyTo(scattered, 0, 0, pattern.sizeBytes);
  return scattered;
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = aligned(bytes.length);
  copy.set(bytes);
  return copy;
}
