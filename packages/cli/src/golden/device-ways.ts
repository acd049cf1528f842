import type { Backend } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { openCuda, openSimulatedCuda, type Context } from "@stowage/cuda-driver";
import { Routes } from "@stowage/routes";
import { createEngine, type Engine } from "@stowage/selector";
import type { Way } from "./check-case.js";
import { DriverStore } from "./driver-store.js";
import { hostStore } from "./store.js";

/** A way, and where its packed bytes lie, in words. */
export interface DeviceWay extends Way {
  readonly name: string;
}

/** Data on a GPU, packed there, in pinned and in pageable memory, by every backend and every route. */
export class DeviceWays implements Disposable {
  readonly engine: Engine;
  readonly all: readonly DeviceWay[];
  readonly #context: Context;
  readonly #held: Disposable[] = [];

  /** Throws a DriverError where there is no GPU. */
  constructor(simulated: boolean) {
    const driver = simulated ? openSimulatedCuda() : openCuda();
    this.#context = driver.context();
    const packers = [
      new CudaGenericBackend({ driver }),
      new CudaStridedBackend(() => driver),
      new DmaBackend(() => driver),
    ];
    const routes = new Routes(packers, { driver: () => driver });
    this.engine = createEngine({ backends: [...packers, ...routes.backends] });
    this.#held.push(this.engine, routes, ...packers);
    this.all = [
      ...packers.flatMap((backend) => this.#ways(backend, ["device", "pinned"])),
      ...routes.backends.flatMap((backend) => this.#ways(backend, backend.route.host)),
    ];
    this.#held.push(this.#context);
  }

  [Symbol.dispose](): void {
    for (const held of this.#held) held[Symbol.dispose]();
  }

  #ways({ name: backend }: Backend, kinds: readonly ("device" | "pinned" | "host")[]): readonly DeviceWay[] {
    return kinds.map((kind) => {
      const [scattered, packed] = [this.#store("device"), kind === "host" ? hostStore() : this.#store(kind)];
      return { name: `${backend} to ${kind} memory`, backend, scattered, packed };
    });
  }

  #store(kind: "device" | "pinned"): DriverStore {
    const store = new DriverStore(this.#context, kind);
    this.#held.push(store);
    return store;
  }
}
