import { BACKEND, type Backend, type Profile } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend, type Tuning } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { LlvmBackend } from "@stowage/backend-llvm";
import { X64Backend } from "@stowage/backend-x64";
import { openCuda } from "@stowage/cuda-driver";
import { Engine, requireNamed, type Observer } from "@stowage/engine";
import { Routes } from "@stowage/routes";
import type { DependencyContainer } from "tsyringe";
import { globalContainer } from "./global-container.js";
import { chooserByCost } from "./choose/choose-by-cost.js";
import { Learner } from "./choose/learner.js";
import { checkEngineOptions, type EngineOptions } from "./engine-options.js";
import { findProfile, type FoundProfile } from "./profile/find-profile.js";
import { askedProfile } from "./profile/profile-path.js";

const VARIABLE = "STOWAGE_BACKEND";

/**
 * Makes an engine over every backend of Stowage and every one that the user registered under BACKEND (the composition
 * root). It chooses by predicted time. Throws an ArgumentError where an option is none that there is, a profile that
 * was asked for cannot be read, or no backend has the name that the options or the environment variable STOWAGE_BACKEND
 * give.
 *
 * @example
 * ```typescript
 * using engine = createEngine();
 * // The second column of an 8 × 8 matrix of doubles.
 * using column = engine.commit({ kind: "vector", count: 8, blocklength: 1, stride: 8, child: "MPI_DOUBLE" });
 * const matrix = Float64Array.from({ length: 64 }, (_, i) => i);
 * const packed = new Float64Array(8);
 * column.pack(matrix.subarray(1), packed);
 * packed; // 1, 9, 17, 25, 33, 41, 49, 57
 * ```
 */
export function createEngine(options: EngineOptions = {}): Engine {
  checkEngineOptions(options);
  const found = once(() => foundProfile(options));
  if ((options.profile ?? askedProfile()) !== undefined) found(); // one that cannot be read is told now
  const { ours, routes } = ourBackends(options, () => found().profile);
  const backends = options.backends ?? [...usersBackends(options.container ?? globalContainer()), ...ours];
  const forced = forcedBackend(options, backends);
  const learner = options.learn === true ? new Learner() : undefined;
  return new Engine({
    backends,
    choose: chooserByCost(() => found().profile, learner?.correction),
    ...(learner === undefined ? {} : { observer: observerOf(learner, () => found().profile) }),
    owned: [...routes, ...ours.filter(isDisposable)],
    ...(forced === undefined ? {} : { forced }),
    ...(options.unusedKernels === undefined ? {} : { unusedKernels: options.unusedKernels }),
  });
}

/** The option, or else the environment variable; empty, it names none. */
function forcedBackend({ backend }: EngineOptions, backends: readonly Backend[]): string | undefined {
  if (backend !== undefined) return requireNamed("backend", backends, backend);
  return requireNamed(VARIABLE, backends, process.env[VARIABLE] || undefined);
}

/** Stowage's own, and what their routes hold. */
interface Ours {
  readonly ours: readonly Backend[];
  readonly routes: readonly Routes[];
}

/** Backends that pack for a route on the device, and on the host for the bulk way. */
const PACKERS: readonly string[] = ["cuda-strided", "cuda-generic", "dma"];
const HOST_PACKERS: readonly string[] = ["x64"];

/** Made without a container: what others registered is theirs, and a bundle may be far from tsyringe. */
function ourBackends(
  { cuda = openCuda, cudaTuning = {}, x64Options = {}, backends }: EngineOptions,
  profile: () => Profile,
): Ours {
  if (backends !== undefined) return { ours: [], routes: [] };
  // All backends share one driver: it remembers which device's context was entered last.
  const open = once(cuda);
  const tuning: Partial<Tuning> = { ...cudaTuning, tier: "specialised" };
  const specialised = { driver: open, tuning, name: "cuda-generic-specialised" };
  const packers: readonly Backend[] = [
    new CpuBackend(),
    new X64Backend({ ...x64Options, profile }),
    new LlvmBackend({ library: "look" }),
    new CudaGenericBackend({ driver: open, tuning: cudaTuning }),
    ...(cudaTuning.tier === undefined ? [new CudaGenericBackend(specialised)] : []),
    new CudaStridedBackend(open),
    new DmaBackend(open),
  ];
  const named = (names: readonly string[]) => packers.filter(({ name }) => names.includes(name));
  const routes = new Routes(named(PACKERS), { driver: open, profile, hostPackers: named(HOST_PACKERS) });
  return { ours: [...packers, ...routes.backends, ...routes.bulk], routes: [routes] };
}

/** Host calls, as the engine times them, beside what was predicted of them. */
const observerOf = (learner: Learner, profile: () => Profile): Observer => ({
  nowNs: () => performance.now() * 1e6,
  observe(backend, moves, conditions, ns) {
    const prediction = backend.predict?.(moves, conditions, profile());
    if (prediction !== undefined) learner.observe(backend.name, moves, prediction.runNs, ns);
  },
});

const usersBackends = (container: DependencyContainer | undefined): readonly Backend[] =>
  container?.isRegistered(BACKEND, true) === true ? container.resolveAll<Backend>(BACKEND) : [];

/** What makes a thing when it is first asked for it, and gives the same from then on. */
function once<Thing>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}

function foundProfile({ profile }: EngineOptions): FoundProfile {
  return typeof profile === "object" ? { profile, remarks: [] } : findProfile(profile);
}

const isDisposable = (backend: Backend): backend is Backend & Disposable => Symbol.dispose in backend;
