import type { Artifact, Kernel } from "@stowage/backend-api";
import { CudaKernel, type Devices } from "@stowage/cuda-plans";
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
export function stridedKernel(
  artifact: Artifact,
  moves: readonly StridedMove[],
  { devices, programs, specialise }: StridedParts,
): Kernel {
  const options = { programs, specialise, smBudget: artifact.conditions.smBudget };
  return new CudaKernel(artifact, {
    contextFor: (bindings) => devices.contextFor(bindings),
    prepare: (on, bound) => new StridedWork(on, moves, bound, options),
    asksPointers: true,
    explain() {
      const lines = moves.map(
        ({ direction, box, target }, i) =>
          `move ${i}: ${direction} ${describe(box)}${target === undefined ? "" : `; to ${describe(target)}`}`,
      );
      return ["one launch of strided kernels, parameters by value", ...lines].join("\n");
    },
  });
}

function describe(box: Box): string {
  const { startBytes, rowBytes, dimensions } = repeatedBox(box, 1, 0);
  const outer = dimensions.map(({ count, strideBytes }) => `${count} at ${strideBytes} B`);
  return [`rows of ${rowBytes} B from byte ${startBytes}`, ...outer].join(", ");
}
