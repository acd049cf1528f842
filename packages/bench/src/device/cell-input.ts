import type { DeviceMemory, DriverMemory } from "@stowage/cuda-driver";
import { canonicalise, lower, type Layout } from "@stowage/ir";
import type { Cell } from "../cell/cell.js";
import { PERIOD_BYTES } from "../cell/pattern.js";
import type { Gpu } from "./gpu.js";
import type { PackedKind } from "./routes.js";

/**
 * A workload's data in memory that a GPU reaches. Each part is put there once, when it is first asked for, and is given
 * back when this is disposed of. Getters throw a DriverError where the device has too little memory.
 */
export class CellInput implements Disposable {
  readonly #gpu: Gpu;
  readonly #cell: Cell;
  #layout: Layout | undefined;
  #scattered: DeviceMemory | undefined;
  readonly #packed = new Map<PackedKind, DriverMemory>();

  /** Allocates nothing yet. */
  constructor(gpu: Gpu, cell: Cell) {
    this.#gpu = gpu;
    this.#cell = cell;
  }

  /** How many elements the cell has. */
  get count(): number {
    return this.#cell.count;
  }

  /** The datatype's canonical layout. */
  get layout(): Layout {
    return (this.#layout ??= canonicalise(lower(this.#cell.datatype)));
  }

  /** The elements as they lie in memory, on the device. */
  get scattered(): DeviceMemory {
    return (this.#scattered ??= this.#makeScattered());
  }

  /** The packed stream, on the device or in pinned host memory. */
  packed(kind: PackedKind): DriverMemory {
    const known = this.#packed.get(kind);
    if (known !== undefined) return known;
    const { context } = this.#gpu;
    const { packed } = this.#cell;
    const memory = kind === "device" ? context.deviceMemory(packed.length) : context.pinnedMemory(packed.length);
    this.#packed.set(kind, memory);
    this.#gpu.write(memory, packed);
    return memory;
  }

  /** One period from the host; the device repeats it. */
  #makeScattered(): DeviceMemory {
    const { pattern } = this.#cell;
    const memory = this.#gpu.context.deviceMemory(pattern.sizeBytes);
    const period = new Uint8Array(Math.min(PERIOD_BYTES, pattern.sizeBytes));
    pattern.copyTo(period, 0, 0, period.length);
    this.#gpu.write(memory, period);
    for (let done = period.length; done < pattern.sizeBytes; done *= 2) {
      this.#gpu.copy(memory.address + done, memory.address, Math.min(done, pattern.sizeBytes - done));
    }
    return memory;
  }

  /** Gives the memory back. */
  [Symbol.dispose](): void {
    this.#scattered?.[Symbol.dispose]();
    for (const memory of this.#packed.values()) memory[Symbol.dispose]();
  }
}
