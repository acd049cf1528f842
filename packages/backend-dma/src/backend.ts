import {
  artifactKey,
  requireArtifactOf,
  requireConditions,
  requireMoves,
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
  isReducing,
  isTabled,
  NO_REDUCTIONS,
} from "@stowage/backend-api";
import { openCuda, type Context, type Driver } from "@stowage/cuda-driver";
import { Devices } from "@stowage/cuda-plans";
import { copiesPerElement } from "./copies.js";
import { dmaKernel } from "./dma-kernel.js";
import { LegacyDetour } from "./legacy-detour.js";
import { predictDma } from "./cost-model.js";

const NAME = "dma";
const FORMAT_VERSION = 1;
const REACHED: readonly MemoryKind[] = ["device", "pinned", "managed"];
/**
 * The most copies that one element may take; the backend refuses moves of more. So many take some 1.3 ms of calls to
 * the host, 12 ms on the device.
 */
export const MOST_COPIES = 4096;

/**
 * Moves bytes by the GPU's copy engines: no multiprocessor is used. An element is a list of 1D, 2D and 3D copies of the
 * driver.
 */
export class DmaBackend implements Backend, Disposable {
  /** Always "dma". */
  readonly name = NAME;
  /** Always true: it takes tables of host memory. */
  readonly tables = true;
  readonly #devices: Devices;
  readonly #detours = new Map<Context, LegacyDetour>();

  /** `open` opens the driver, when it is first needed: openCuda, or openSimulatedCuda where there is no GPU. */
  constructor(open: () => Driver = openCuda) {
    this.#devices = new Devices(open);
  }

  /**
   * Whether it takes the moves: in device, pinned and managed memory, without reductions, where an element takes at
   * most MOST_COPIES copies, and there is a device.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    if (moves.some(isReducing)) return NO_REDUCTIONS;
    const { tableKind = "host" } = requireConditions(conditions);
    if (tableKind !== "host" && moves.some(isTabled))
      return unsupported(`it reads tables of host memory, not of ${tableKind} memory`);
    for (const kind of [conditions.sourceKind, conditions.targetKind]) {
      if (!REACHED.includes(kind))
        return unsupported(`DMA copies take device, pinned and managed memory, not ${kind} memory`);
    }
    const { availability } = this.#devices;
    if (!availability.ok) return unsupported(availability.reason);
    const maxPitchBytes = this.#maxPitchBytes;
    for (const [i, move] of moves.entries()) {
      const copies = copiesPerElement(move, maxPitchBytes);
      if (copies > MOST_COPIES)
        return unsupported(`move ${i} takes ${copies} copies an element, more than ${MOST_COPIES}`);
    }
    return SUPPORTED;
  }

  /** Predicts the times by DMA_COSTS and the profile's section "dma". */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predictDma(moves, conditions, profile);
  }

  /** Makes an artifact without code: load finds the copies. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const key = artifactKey(NAME, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: null };
  }

  /**
   * Makes a kernel of an artifact. Throws an ArtifactError for one of another backend or format, and a DriverError
   * where there is no device.
   */
  load(artifact: Artifact): Kernel {
    requireArtifactOf(artifact, NAME, FORMAT_VERSION);
    const detourOn = (context: Context): LegacyDetour => this.#detourOn(context);
    return dmaKernel(artifact, { devices: this.#devices, maxPitchBytes: this.#maxPitchBytes, detourOn });
  }

  /** Releases the devices; kernels and plans of this backend must be disposed of before. */
  [Symbol.dispose](): void {
    for (const detour of this.#detours.values()) detour[Symbol.dispose]();
    this.#detours.clear();
    this.#devices[Symbol.dispose]();
  }

  #detourOn(context: Context): LegacyDetour {
    const known = this.#detours.get(context) ?? new LegacyDetour(context);
    this.#detours.set(context, known);
    return known;
  }

  get #maxPitchBytes(): number {
    return Math.min(...this.#devices.driver.devices.map((device) => device.maxPitchBytes));
  }
}
