import "reflect-metadata";
import { BACKEND, type Backend } from "@stowage/backend-api";
import { registerCpu } from "@stowage/backend-cpu";
import { registerCudaGeneric, type Tuning } from "@stowage/backend-cuda-generic";
import { registerCudaStrided } from "@stowage/backend-cuda-strided";
import { registerDma } from "@stowage/backend-dma";
import { registerX64 } from "@stowage/backend-x64";
import { openCuda, type Driver } from "@stowage/cuda-driver";
import { Engine } from "@stowage/engine";
import { container, type DependencyContainer } from "tsyringe";
import { choose } from "./choose-by-preference.js";

export interface EngineOptions {
  /** Exactly these backends, instead of those registered. */
  readonly backends?: readonly Backend[];
  /** A container with registrations of one's own under BACKEND; Stowage's backends join them. */
  readonly container?: DependencyContainer;
  /** The backend to use for everything, by name. Default: the environment variable STOWAGE_BACKEND. */
  readonly backend?: string;
  /** Opens the driver of the GPUs; called once, when device memory is first asked for. Default: this machine's. */
  readonly cuda?: () => Driver;
  /**
   * How cuda-generic's kernels are shaped: { tier: "specialised" } builds each layout into a kernel of its own when a plan
   * is bound, for data that moves often.
   */
  readonly cudaTuning?: Partial<Tuning>;
}

/** The composition root: an engine over every backend of Stowage and every one that the user registered. */
export function createEngine(options: EngineOptions = {}): Engine {
  const forced = options.backend ?? process.env["STOWAGE_BACKEND"];
  const choosing = { choose, ...(forced === undefined ? {} : { forced }) };
  if (options.backends !== undefined) return new Engine({ backends: options.backends, ...choosing });
  const ours = ourBackends(options.cuda ?? openCuda, options.cudaTuning ?? {});
  const backends = [...usersBackends(options.container ?? container), ...ours];
  return new Engine({ backends, owned: ours.filter(isDisposable), ...choosing });
}

/** Stowage's own, resolved from a container of their own: the user's stays as it was. */
function ourBackends(openDriver: () => Driver, tuning: Partial<Tuning>): readonly Backend[] {
  const ours = container.createChildContainer();
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
