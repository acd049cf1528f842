import {
  checkBindings,
  DisposedError,
  type Artifact,
  type Binding,
  type Kernel,
  type Plan,
} from "@stowage/backend-api";
import type { Devices } from "@stowage/cuda-driver";
import { repeatedBox, type Box } from "@stowage/ir";
import { StridedPlan } from "./strided-plan.js";
import type { StridedMove } from "./transfer.js";

/** Strided moves, ready to be bound. Kernels are rendered for the words that bindings allow, and shared by their text. */
export class StridedKernel implements Kernel {
  readonly #devices: Devices;
  readonly #artifact: Artifact;
  readonly #moves: readonly StridedMove[];
  readonly #specialise: boolean;
  #disposed = false;

  constructor(devices: Devices, artifact: Artifact, moves: readonly StridedMove[], specialise: boolean) {
    this.#devices = devices;
    this.#specialise = specialise;
    this.#artifact = artifact;
    this.#moves = moves;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    return new StridedPlan(this.#devices, this.#moves, conditions, bindings, this.#specialise);
  }

  explain(): string {
    const lines = this.#moves.map(({ direction, box }, i) => `move ${i}: ${direction} ${describe(box)}`);
    return ["one launch of strided kernels, parameters by value", ...lines].join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }
}

function describe(box: Box): string {
  const { startBytes, rowBytes, dimensions } = repeatedBox(box, 1, 0);
  const outer = dimensions.map(({ count, strideBytes }) => `${count} at ${strideBytes} B`);
  return [`rows of ${rowBytes} B from byte ${startBytes}`, ...outer].join(", ");
}
