import {
  checkBindings,
  DisposedError,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Queue,
} from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";
import { CallPlans, CudaPlan, devicesOf, withDeviceErrors, type Devices } from "@stowage/cuda-plans";
import { describeCopies } from "./copies.js";
import { DmaWork } from "./dma-work.js";
import type { LegacyDetour } from "./legacy-detour.js";

/** What a kernel has of its backend. */
export interface DmaParts {
  readonly devices: Devices;
  readonly maxPitchBytes: number;
  readonly detourOn: (context: Context) => LegacyDetour;
}

export class DmaKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #parts: DmaParts;
  readonly #calls = new CallPlans(
    (bindings) => this.bind(bindings),
    (bindings) => devicesOf(bindings)[0],
  );
  #disposed = false;

  constructor(artifact: Artifact, parts: DmaParts) {
    this.#artifact = artifact;
    this.#parts = parts;
  }

  bind(bindings: readonly Binding[]): CudaPlan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const { devices, detourOn } = this.#parts;
    const context = withDeviceErrors(() => devices.context(devicesOf(bindings)[0]));
    const prepare = (on: Context, bound: readonly Binding[]) =>
      new DmaWork(on, moves, bound, conditions, () => detourOn(on));
    return new CudaPlan({ moves, conditions, context, prepare, asksPointers: false }, bindings);
  }

  /** What bind, run and disposing of the plan would do, by a plan that is kept. */
  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    return this.#calls.call(bindings, this.#artifact.moves.length, queue);
  }

  explain(): string {
    const { maxPitchBytes } = this.#parts;
    const lines = this.#artifact.moves.map((move, i) => `move ${i}: ${describeCopies(move, maxPitchBytes)}`);
    return ["copy engines alone, no multiprocessor", ...lines].join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#calls[Symbol.dispose]();
  }
}
