import { BACKEND } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { LlvmBackend } from "./backend.js";
import type { LlvmOptions } from "./options.js";

/** Adds this backend to those that a container resolves under BACKEND. */
export function registerLlvm(container: DependencyContainer, options: LlvmOptions = {}): void {
  container.register(BACKEND, { useFactory: () => new LlvmBackend(options) });
}
