import { BACKEND } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { CudaGenericBackend } from "./backend.js";
import type { CudaGenericOptions } from "./options.js";

/** Adds this backend to those that a container resolves under BACKEND. */
export function registerCudaGeneric(container: DependencyContainer, options: CudaGenericOptions = {}): void {
  container.register(BACKEND, { useFactory: () => new CudaGenericBackend(options) });
}
