import { BACKEND } from "@stowage/backend-api";
import type { Driver } from "@stowage/cuda-driver";
import type { DependencyContainer } from "tsyringe";
import { DmaBackend } from "./backend.js";

/** Adds this backend to a container, under BACKEND; `open` opens the driver, when it is first needed. */
export function registerDma(container: DependencyContainer, open?: () => Driver): void {
  container.register(BACKEND, { useFactory: () => new DmaBackend(open) });
}
