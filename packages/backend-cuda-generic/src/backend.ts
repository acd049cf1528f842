import {
  artifactKey,
  SUPPORTED,
  unsupported,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Kernel,
  type MemoryKind,
  type Move,
  type Prediction,
  type Profile,
  type Support,
} from "@stowage/backend-api";
import { compileMoves } from "./compile.js";
import { Devices } from "./devices.js";
import { GenericKernel } from "./kernel.js";
import { DEFAULT_TUNING, type CudaGenericOptions, type Tuning } from "./options.js";
import { dataOf, FORMAT_VERSION, NAME, payloadOf } from "./payload.js";
import { predict } from "./predict.js";
import { RenderedKernels } from "./rendered.js";

/** Any datatype on a GPU, by one kernel over the serialised layout (Jenkins et al., Cluster 2012 and TPDS 2014). */
export class CudaGenericBackend implements Backend, Disposable {
  readonly name = NAME;
  readonly #devices: Devices;
  readonly #tuning: Tuning;
  readonly #rendered = new RenderedKernels();

  constructor(options: CudaGenericOptions = {}) {
    this.#devices = new Devices(options.driver);
    this.#tuning = { ...DEFAULT_TUNING, ...options.tuning };
  }

  supports(_moves: readonly Move[], { sourceKind, targetKind }: Conditions): Support {
    const unreachable = [sourceKind, targetKind].find((kind) => !isReachable(kind));
    if (unreachable !== undefined) return unsupported(`a GPU does not reach ${unreachable} memory: pin it, or copy it`);
    const availability = this.#devices.available();
    return availability.ok ? SUPPORTED : unsupported(availability.reason);
  }

  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predict(moves, conditions, profile);
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const payload = dataOf(compileMoves(moves, conditions, this.#tuning, this.#rendered));
    const key = artifactKey(`${NAME}-${JSON.stringify(this.#tuning)}`, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload };
  }

  load(artifact: Artifact): Kernel {
    return new GenericKernel(artifact, payloadOf(artifact), this.#devices, this.#tuning);
  }

  /** Gives back the devices' contexts; kernels and plans of this backend must be disposed of before. */
  [Symbol.dispose](): void {
    this.#devices[Symbol.dispose]();
  }
}

const isReachable = (kind: MemoryKind): boolean => kind === "device" || kind === "pinned" || kind === "managed";
