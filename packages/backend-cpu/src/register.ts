import { BACKEND } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { CpuBackend } from "./backend/cpu-backend.js";

/** Adds this backend to those that a container resolves under BACKEND. */
export function registerCpu(container: DependencyContainer): void {
  container.register(BACKEND, { useFactory: () => new CpuBackend() });
}
