import { BACKEND, type Backend } from "@stowage/backend-api";
import { registerCpu } from "@stowage/backend-cpu";
import { registerCudaGeneric, type Tuning } from "@stowage/backend-cuda-generic";
import { registerCudaStrided } from "@stowage/backend-cuda-strided";
import { registerDma } from "@stowage/backend-dma";
import { registerX64 } from "@stowage/backend-x64";
import { openCuda, type Driver } from "@stowage/cuda-driver";
import { Engine, requireNamed } from "@stowage/engine";
import type { DependencyContainer } from "tsyringe";
import { globalContainer } from "./global-container.js";
import { choose } from "./choose-by-preference.js";
import { checkEngineOptions, type EngineOptions } from "./engine-options.js";

const VARIABLE = "STOWAGE_BACKEND";

/**
 * The composition root: an engine over every backend of Stowage and every one that the user registered. Throws an
 * ArgumentError where an option is none that there is, or no backend has the name that the options or the environment
 * variable STOWAGE_BACKEND give.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  checkEngineOptions(options);
  const ours = options.backends === undefined ? ourBackends(options.cuda ?? openCuda, options.cudaTuning ?? {}) : [];
  const backends = options.backends ?? [...usersBackends(options.container ?? globalContainer()), ...ours];
  const forced = forcedBackend(options, backends);
  return new Engine({
    backends,
    choose,
    owned: ours.filter(isDisposable),
    ...(forced === undefined ? {} : { forced }),
    ...(options.unusedKernels === undefined ? {} : { unusedKernels: options.unusedKernels }),
  });
}

/** The option, or else the environment variable; empty, it names none. */
function forcedBackend({ backend }: EngineOptions, backends: readonly Backend[]): string | undefined {
  if (backend !== undefined) return requireNamed("backend", backends, backend);
  return requireNamed(VARIABLE, backends, process.env[VARIABLE] || undefined);
}

/** Stowage's own, resolved from a container of their own: the user's stays as it was. */
function ourBackends(openDriver: () => Driver, tuning: Partial<Tuning>): readonly Backend[] {
  const ours = globalContainer().createChildContainer();
  const open = once(openDriver);
  registerCpu(ours);
  registerX64(ours);
  registerCudaGeneric(ours, { driver: open, tuning });
  registerCudaStrided(ours, open);
  registerDma(ours, open);
  return ours.resolveAll<Backend>(BACKEND);
}

const usersBackends = (parent: DependencyContainer): readonly Backend[] =>
  parent.isRegistered(BACKEND, true) ? parent.resolveAll<Backend>(BACKEND) : [];

/** All backends share one driver: it remembers which device's context was entered last. */
function once(open: () => Driver): () => Driver {
  let driver: Driver | undefined;
  return () => (driver ??= open());
}

const isDisposable = (backend: Backend): backend is Backend & Disposable => Symbol.dispose in backend;
