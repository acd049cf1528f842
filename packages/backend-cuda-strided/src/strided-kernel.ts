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
import { CallPlans, CudaPlan, withDeviceErrors, type Devices } from "@stowage/cuda-plans";
import { repeatedBox, type Box } from "@stowage/ir";
import type { Programs } from "./programs.js";
import { StridedWork } from "./strided-work.js";
import type { StridedMove } from "./transfer.js";

/** What a kernel has of its backend. */
export interface StridedParts {
  readonly devices: Devices;
  readonly programs: Programs;
  readonly specialise: boolean;
}

/**
 * Strided moves, ready to be bound. Kernels are rendered for the words that bindings allow, and shared by their text.
 */
export class StridedKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #moves: readonly StridedMove[];
  readonly #parts: StridedParts;
  readonly #calls = new CallPlans(
    (bindings) => this.bind(bindings),
    (bindings) => this.#contextFor(bindings).device.ordinal,
  );
  #disposed = false;

  constructor(artifact: Artifact, moves: readonly StridedMove[], parts: StridedParts) {
    this.#artifact = artifact;
    this.#moves = moves;
    this.#parts = parts;
  }

  bind(bindings: readonly Binding[]): CudaPlan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const { programs, specialise } = this.#parts;
    const context = this.#contextFor(bindings);
    const options = { programs, specialise, smBudget: conditions.smBudget };
    const prepare = (on: Context, bound: readonly Binding[]) => new StridedWork(on, this.#moves, bound, options);
    return new CudaPlan({ moves, conditions, context, prepare, asksPointers: true }, bindings);
  }

  /** What bind, run and disposing of the plan would do, by a plan that is kept. */
  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    return this.#calls.call(bindings, this.#artifact.moves.length, queue);
  }

  #contextFor(bindings: readonly Binding[]): Context {
    return withDeviceErrors(() => this.#parts.devices.contextFor(bindings));
  }

  explain(): string {
    const lines = this.#moves.map(
      ({ direction, box, target }, i) =>
        `move ${i}: ${direction} ${describe(box)}${target === undefined ? "" : `; to ${describe(target)}`}`,
    );
    return ["one launch of strided kernels, parameters by value", ...lines].join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#calls[Symbol.dispose]();
  }
}

function describe(box: Box): string {
  const { startBytes, rowBytes, dimensions } = repeatedBox(box, 1, 0);
  const outer = dimensions.map(({ count, strideBytes }) => `${count} at ${strideBytes} B`);
  return [`rows of ${rowBytes} B from byte ${startBytes}`, ...outer].join(", ");
}
