import {
  checkBindings,
  DisposedError,
  type Binding,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import { CallPlans, soleDeviceOf, withDeviceErrors } from "@stowage/cuda-plans";
import type { Figures } from "./figures.js";
import type { RoutePool } from "./pool/route-pool.js";
import { RoutePlan } from "./route-plan.js";
import type { Route } from "./route.js";
import { kindOn, type Side } from "./sides.js";

/** What a kernel has of its backend. */
export interface RouteKernelParts {
  readonly route: Route;
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly side: Side;
  /** Packs between the device's data and a staging buffer; without one, the user's mapped memory. */
  readonly packer: Kernel;
  readonly packerName: string;
  readonly figures: Figures;
  readonly poolOn: (device: number) => RoutePool;
}

/** Moves by one route, ready to be bound. */
export class RouteKernel implements Kernel {
  readonly #parts: RouteKernelParts;
  readonly #calls = new CallPlans((bindings) => this.bind(bindings), soleDeviceOf);
  #disposed = false;

  constructor(parts: RouteKernelParts) {
    this.#parts = parts;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions, packer, poolOn, route } = this.#parts;
    if (!route.throughDevice) return packer.bind(bindings);
    checkBindings(moves, bindings, conditions);
    const pool = withDeviceErrors(() => poolOn(soleDeviceOf(bindings)));
    return new RoutePlan({ ...this.#parts, pool }, bindings);
  }

  call(bindings: readonly Binding[], queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, packer, route } = this.#parts;
    if (!route.throughDevice && packer.call !== undefined) return packer.call(bindings, queue);
    return this.#calls.call(bindings, moves.length, queue);
  }

  explain(): string {
    const { route, conditions, side, packer, packerName, figures } = this.#parts;
    const { leastChunkBytes, mostChunkBytes } = figures;
    const pageable = kindOn(conditions, side) === "host";
    return [
      `route ${route.name}: ${route.text}`,
      ...(route.chunked ? [`chunks of ${leastChunkBytes} to ${mostChunkBytes} bytes`] : []),
      ...(pageable ? ["the host's memory is pageable: staged through pinned buffers of the pool"] : []),
      `packed by ${packerName}: ${packer.explain()}`,
    ].join("\n");
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#calls[Symbol.dispose]();
    this.#parts.packer[Symbol.dispose]();
  }
}
