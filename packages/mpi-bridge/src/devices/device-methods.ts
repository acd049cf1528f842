import type { Mpi } from "@stowage/mpi-abi";
import type { Engine } from "@stowage/selector";
import type { Placed } from "../buffer/placed.js";
import type { Way } from "../buffer/way.js";
import { BridgeError } from "../errors.js";
import { cudaAwareness, type Awareness } from "./cuda-aware.js";
import { messageNs } from "./message-figures.js";
import { methodCosts, type Method, type MethodCost } from "./method.js";

/** What a message by one method is predicted to take, one way (TEMPI, equations 1 to 3). */
export interface PredictedMethod extends MethodCost {
  /** Of the message itself: T_gpu-gpu or T_cpu-cpu. */
  readonly messageNs: number;
  readonly totalNs: number;
}

/** How a message travels, and why. */
export interface MessagePlan {
  /** "host": its elements are the host's, and no method of a device is needed. */
  readonly method: Method | "host";
  readonly reason: string;
  /** All methods that could be taken, the quickest first. */
  readonly predicted: readonly PredictedMethod[];
}

/** Chooses how elements in a device's memory travel: by predicted time, among what the MPI takes. */
export class DeviceMethods {
  readonly #engine: () => Engine;
  readonly #awareness: () => Awareness;
  /** By datatype, count and bytes of a message. */
  readonly #ways = new WeakMap<Placed["type"], Map<number, Way>>();

  constructor(mpi: Mpi, engine: () => Engine, cudaAware: boolean | undefined) {
    this.#engine = engine;
    let asked: Awareness | undefined;
    this.#awareness = () => (asked ??= cudaAwareness(mpi, cudaAware));
  }

  /** Packed where the host reaches it, or on the device. */
  wayOf(placed: Placed): Way {
    const { method } = placed.type.hints;
    if (!this.#awareness().isAware) {
      if (method === "device") throw this.#unaware();
      return "packed";
    }
    if (method !== undefined && method !== "auto") return method === "device" ? "device" : "packed";
    let ways = this.#ways.get(placed.type);
    if (ways === undefined) this.#ways.set(placed.type, (ways = new Map<number, Way>()));
    const known = ways.get(placed.count);
    if (known !== undefined) return known;
    const way = this.plan(placed).method === "device" ? "device" : "packed";
    ways.set(placed.count, way);
    return way;
  }

  /** What is chosen, why, and what each method is predicted to take. */
  plan(placed: Placed): MessagePlan {
    if (placed.device === undefined) return { method: "host", reason: "elements that the host reaches", predicted: [] };
    const { isAware, reason } = this.#awareness();
    const predicted = this.#predicted(placed).filter(({ method }) => isAware || method !== "device");
    const asked = placed.type.hints.method ?? "auto";
    if (asked === "device" && !isAware) throw this.#unaware();
    if (asked !== "auto") return { method: asked, reason: "asked for by a hint", predicted };
    const [best] = predicted;
    if (best === undefined)
      throw new BridgeError("message of device memory", "a backend that packs it", "none (stowage doctor says why)");
    return { method: best.method, reason: `the least predicted time; ${reason}`, predicted };
  }

  #predicted({ type, count, sizeBytes }: Placed): readonly PredictedMethod[] {
    const costs = methodCosts(this.#engine(), type.layout, count);
    return costs
      .map((cost) => {
        const ns = messageNs(cost.method === "device" ? "device" : "host", sizeBytes);
        return { ...cost, messageNs: ns, totalNs: cost.packNs + ns + cost.unpackNs };
      })
      .sort((a, b) => a.totalNs - b.totalNs);
  }

  #unaware(): BridgeError {
    return new BridgeError("method device", "an MPI that takes device memory", this.#awareness().reason);
  }
}
