import type { Engine } from "@stowage/selector";
import type { Placed } from "../../message/place/placed.js";
import type { Way } from "../../message/place/way.js";
import type { Context } from "../../message/context.js";
import { BridgeError } from "../../errors.js";
import { cudaAwareness, type Awareness } from "./cuda-aware.js";
import { closed, type Directness } from "./directness.js";
import { messageNs } from "./message-figures.js";
import { isDirect, methodCosts, type Method, type MethodCost } from "../../message/devices/method.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";

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

const STAGED: Directness = { ipc: closed('its communicator was not duplicated with { devices: "direct" }') };

/** Chooses how elements in a device's memory travel: by predicted time, among what the MPI and the GPUs take. */
export class DeviceMethods {
  readonly #engine: () => Engine;
  readonly #awareness: () => Awareness;
  /** By what is open to messages, datatype and count. */
  readonly #known = Array.from({ length: 6 }, () => new WeakMap<BridgeType, Map<number, Method>>());

  constructor({ native, engine, cudaAware }: Context) {
    this.#engine = engine;
    let asked: Awareness | undefined;
    this.#awareness = () => (asked ??= cudaAwareness(native.mpi, cudaAware));
  }

  /** By way of the MPI: packed where the host reaches it, or on the device. */
  wayOf(placed: Placed): Way {
    const { method = "auto" } = placed.type.hints;
    if (method === "device" && !this.#awareness().isAware) throw this.#unaware();
    return this.#awareness().isAware && this.methodOf(placed, STAGED) === "device" ? "device" : "packed";
  }

  /** The method of a message, looked up where one of as many elements went before. */
  methodOf(placed: Placed, directness: Directness): Method {
    const { type, count } = placed;
    const known = this.#known[sortOf(directness)] as WeakMap<BridgeType, Map<number, Method>>;
    let methods = known.get(type);
    if (methods === undefined) known.set(type, (methods = new Map<number, Method>()));
    let method = methods.get(count);
    if (method === undefined) {
      if (methods.size >= MOST_COUNTS) methods.clear();
      method = this.#chosen(placed, directness).method as Method;
      methods.set(count, method);
    }
    return method;
  }

  /** What is chosen, why, and what each method is predicted to take. */
  plan(placed: Placed, directness: Directness = STAGED): MessagePlan {
    if (placed.device === undefined) return { method: "host", reason: "elements that the host reaches", predicted: [] };
    const plan = this.#chosen(placed, directness);
    const { ipc, nccl } = directness;
    const noIpc = ipc.isOpen ? "" : `; not from GPU to GPU: ${ipc.reason}`;
    const noNccl = nccl === undefined || nccl.isOpen ? "" : `; not by NCCL: ${nccl.reason}`;
    return { ...plan, reason: `${plan.reason}${noIpc}${noNccl}` };
  }

  #chosen(placed: Placed, directness: Directness): MessagePlan {
    const { isAware, reason } = this.#awareness();
    const { ipc, nccl } = directness;
    const isOpen = (method: Method): boolean => {
      if (method === "nccl") return nccl?.isOpen === true;
      return isDirect(method) ? ipc.isOpen : isAware || method !== "device";
    };
    const onOneGpu = ipc.isOpen && ipc.onOneGpu;
    const predicted = this.#predicted(placed, onOneGpu).filter(({ method }) => isOpen(method));
    const asked = placed.type.hints.method ?? "auto";
    if (asked !== "auto" && isOpen(asked)) return { method: asked, reason: "asked for by a hint", predicted };
    if (asked === "device") throw this.#unaware();
    const [best] = predicted;
    if (best === undefined)
      throw new BridgeError("message of device memory", "a backend that packs it", "none (stowage doctor says why)");
    return { method: best.method, reason: `the least predicted time; ${reason}`, predicted };
  }

  #predicted({ type, count, sizeBytes }: Placed, onOneGpu: boolean): readonly PredictedMethod[] {
    const costs = methodCosts(this.#engine(), type.layout, count);
    return costs
      .map((cost) => {
        const ns = messageNs(cost.method, type.layout, sizeBytes, { unpackNs: cost.unpackNs, onOneGpu });
        return { ...cost, messageNs: ns, totalNs: cost.packNs + ns + cost.unpackNs };
      })
      .sort((a, b) => a.totalNs - b.totalNs);
  }

  #unaware(): BridgeError {
    return new BridgeError("method device", "an MPI that takes device memory", this.#awareness().reason);
  }
}

const MOST_COUNTS = 256;

const sortOf = ({ ipc, nccl }: Directness): number =>
  3 * Number(nccl?.isOpen === true) + (ipc.isOpen ? 1 + Number(ipc.onOneGpu) : 0);
