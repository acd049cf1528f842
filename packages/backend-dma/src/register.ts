import { BACKEND } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { DmaBackend } from "./backend.js";

/** Adds this backend to a container, under the token that all backends share. */
export function registerDma(container: DependencyContainer): void {
  container.register(BACKEND, { useFactory: () => new DmaBackend() });
}
