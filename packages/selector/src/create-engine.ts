import "reflect-metadata";
import { BACKEND, type Backend } from "@stowage/backend-api";
import { registerCpu } from "@stowage/backend-cpu";
import { registerX64 } from "@stowage/backend-x64";
import { container, type DependencyContainer } from "tsyringe";
import { Engine } from "./engine.js";

export interface EngineOptions {
  /** Exactly these backends, instead of those registered. */
  readonly backends?: readonly Backend[];
  /** A container with registrations of one's own under BACKEND; Stowage's backends join them. */
  readonly container?: DependencyContainer;
  /** The backend to use for everything, by name. Default: the environment variable STOWAGE_BACKEND. */
  readonly backend?: string;
}

/** The composition root: an engine over every backend of Stowage and every one that the user registered. */
export function createEngine(options: EngineOptions = {}): Engine {
  const forced = options.backend ?? process.env["STOWAGE_BACKEND"];
  return new Engine({
    backends: options.backends ?? registeredBackends(options.container ?? container),
    ...(forced === undefined ? {} : { forced }),
  });
}

/** Stowage's backends and the user's, resolved from a child container: the user's own stays as it was. */
function registeredBackends(parent: DependencyContainer): readonly Backend[] {
  const ours = parent.createChildContainer();
  registerCpu(ours);
  registerX64(ours);
  const users = parent.isRegistered(BACKEND) ? parent.resolveAll<Backend>(BACKEND) : [];
  return [...users, ...ours.resolveAll<Backend>(BACKEND)];
}
