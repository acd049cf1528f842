import { BACKEND } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { X64Backend } from "./backend.js";
import type { X64Options } from "./options.js";

/** Adds this backend to those that a container resolves under BACKEND. */
export function registerX64(container: DependencyContainer, options: X64Options = {}): void {
  container.register(BACKEND, { useFactory: () => new X64Backend(options) });
}
