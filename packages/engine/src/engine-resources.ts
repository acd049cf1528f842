import { DisposedError } from "@stowage/backend-api";
import type { EnginePlan } from "./engine-plan.js";
import { HostSpans } from "./host-spans.js";
import { InFlight } from "./in-flight.js";
import type { Observer } from "./observe.js";
import { KernelCache } from "./kernel-cache.js";

/** What an engine and all that it commits share, and what ends with the engine. */
export class EngineResources implements Disposable {
  readonly kernels: KernelCache;
  readonly inFlight = new InFlight();
  readonly spans = new HostSpans();
  /** Absent: no call is timed. */
  readonly observer: Observer | undefined;
  /** Plans that their callers have not disposed of. */
  readonly plans = new Set<EnginePlan>();
  readonly #owned: readonly Disposable[];
  #disposed = false;

  constructor(owned: readonly Disposable[], mostUnusedKernels: number, observer?: Observer) {
    this.observer = observer;
    this.#owned = owned;
    this.kernels = new KernelCache(mostUnusedKernels);
  }

  /** Throws a DisposedError once the engine has been disposed of. */
  requireOpen(): void {
    if (this.#disposed) throw new DisposedError("engine");
  }

  /** Waits for packs and unpacks under way. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.inFlight[Symbol.dispose]();
    for (const plan of this.plans) plan[Symbol.dispose]();
    this.kernels[Symbol.dispose]();
    for (const resource of this.#owned) resource[Symbol.dispose]();
  }
}
