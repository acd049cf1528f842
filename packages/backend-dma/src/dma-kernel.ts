import type { Artifact, Kernel } from "@stowage/backend-api";
import type { Context } from "@stowage/cuda-driver";
import { CudaKernel, devicesOf, type Devices } from "@stowage/cuda-plans";
import { describeCopies } from "./copies.js";
import { DmaWork } from "./dma-work.js";
import type { LegacyDetour } from "./legacy-detour.js";

/** What a kernel has of its backend. */
export interface DmaParts {
  readonly devices: Devices;
  readonly maxPitchBytes: number;
  readonly detourOn: (context: Context) => LegacyDetour;
}

/** Moves by copy engines, ready to be bound. */
export function dmaKernel(artifact: Artifact, { devices, maxPitchBytes, detourOn }: DmaParts): Kernel {
  const { moves, conditions } = artifact;
  return new CudaKernel(artifact, {
    contextFor: (bindings) => devices.context(devicesOf(bindings)[0]),
    prepare: (on, bound) => new DmaWork(on, moves, bound, conditions, () => detourOn(on)),
    asksPointers: false,
    explain() {
      const lines = moves.map((move, i) => `move ${i}: ${describeCopies(move, maxPitchBytes)}`);
      return ["copy engines alone, no multiprocessor", ...lines].join("\n");
    },
  });
}
