import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import type { Backend } from "@stowage/backend-api";
import { openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import type { SimulatedOptions } from "@stowage/cuda-driver";

/** A simulated GPU, and the backends that have kernels for it. */
export function simulatedBackends(options: SimulatedOptions = {}): { driver: Driver; backends: readonly Backend[] } {
  const driver = openSimulatedCuda(options);
  return { driver, backends: [new CudaStridedBackend(() => driver), new CudaGenericBackend({ driver })] };
}
