import type { Backend } from "@stowage/backend-api";
import { openCuda, openSimulatedCuda, type Context } from "@stowage/cuda-driver";
import { BulkBackend, RouteBackend } from "@stowage/routes";
import { createEngine, type Engine } from "@stowage/selector";
import type { Way } from "./check-case.js";
import { DriverStore } from "./driver-store.js";
import { hostStore } from "./store.js";

type PackedKind = "device" | "pinned" | "host";

/** A way, and where its packed bytes lie, in words. */
export interface DeviceWay extends Way {
  readonly name: string;
}

const PACKERS: ReadonlySet<string> = new Set(["cuda-generic", "cuda-strided", "dma"]);

/**
 * Data on a GPU, packed there, in pinned and in pageable memory, by every backend and every route that an engine has.
 */
export class DeviceWays implements Disposable {
  readonly engine: Engine;
  readonly all: readonly DeviceWay[];
  readonly #context: Context;
  readonly #held: Disposable[] = [];

  /** Throws a DriverError where there is no GPU. */
  constructor(simulated: boolean) {
    const driver = simulated ? openSimulatedCuda() : openCuda();
    this.#context = driver.context();
    this.engine = createEngine({ cuda: () => driver });
    this.#held.push(this.engine);
    this.all = this.engine.backends.flatMap((backend) => this.#ways(backend, packedKindsOf(backend)));
    this.#held.push(this.#context);
  }

  [Symbol.dispose](): void {
    for (const held of this.#held) held[Symbol.dispose]();
  }

  #ways(backend: Backend, kinds: readonly PackedKind[]): readonly DeviceWay[] {
    const packsOnly = backend instanceof BulkBackend;
    return kinds.map((kind) => {
      const [scattered, packed] = [this.#store("device"), kind === "host" ? hostStore() : this.#store(kind)];
      return { name: `${backend.name} to ${kind} memory`, backend: backend.name, scattered, packed, packsOnly };
    });
  }

  #store(kind: "device" | "pinned"): DriverStore {
    const store = new DriverStore(this.#context, kind);
    this.#held.push(store);
    return store;
  }
}

/** Where a backend may have the packed bytes of a device's data; of one for the host alone, nowhere. */
function packedKindsOf(backend: Backend): readonly PackedKind[] {
  if (backend instanceof RouteBackend) return backend.route.host;
  if (backend instanceof BulkBackend) return ["host"];
  return PACKERS.has(backend.name) ? ["device", "pinned"] : [];
}
