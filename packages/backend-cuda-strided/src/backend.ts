import {
  artifactKey,
  requireConditions,
  requireMoves,
  directionOf,
  scatteredLayout,
  SUPPORTED,
  unsupported,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Binding,
  type Conditions,
  type Kernel,
  type MemoryKind,
  type Move,
  type Prediction,
  type Profile,
  type Support,
  isReducing,
  NO_REDUCTIONS,
} from "@stowage/backend-api";
import { openCuda, type Context, type Driver } from "@stowage/cuda-driver";
import { Devices, type RunsOn } from "@stowage/cuda-plans";
import { boxOf, requireOptions, type Box, type Layout } from "@stowage/ir";
import { dataOf, FORMAT_VERSION, NAME, payloadOf } from "./payload.js";
import { predictStrided } from "./cost-model.js";
import { Programs } from "./programs.js";
import { standaloneData, standaloneOf } from "./standalone.js";
import { stridedKernel } from "./strided-kernel.js";
import { requireBox, type StridedMove } from "./transfer.js";

/** Records of more would not fit a launch's parameters several at a time. */
const MOST_DIMENSIONS = 16;
const REACHED: readonly MemoryKind[] = ["device", "pinned", "managed"];

/** Options of the backend. */
export interface StridedOptions {
  /**
   * Whether a kernel is printed for each single move, its box as constants: the driver compiles some milliseconds a
   * box, for moves that run often. Default: false, all moves of a shape share a kernel.
   */
  readonly specialise?: boolean;
  /** The device of a copy between two devices that runs the kernel, and has its queue. Default: the source's. */
  readonly runsOn?: RunsOn;
}

/**
 * Packs, unpacks and copies strided layouts by GPU kernels with scalar parameters (TEMPI, Pearson et al. 2021): no
 * metadata lies on the device.
 */
export class CudaStridedBackend implements Backend, Disposable {
  /** Always "cuda-strided". */
  readonly name = NAME;
  readonly #devices: Devices;
  readonly #programs = new Programs();
  readonly #specialise: boolean;

  /**
   * `open` opens the driver, when it is first needed: openCuda, or openSimulatedCuda where there is no GPU. Throws an
   * ArgumentError for an option that is none.
   */
  constructor(open: () => Driver = openCuda, options: StridedOptions = {}) {
    requireOptions(options, `options of ${NAME}`, ["specialise", "runsOn"]);
    this.#devices = new Devices(open, options.runsOn);
    this.#specialise = options.specialise ?? false;
  }

  /**
   * Whether it takes the moves: strided layouts in device, pinned and managed memory, without reductions, where there
   * is a device that runs its kernels.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    if (moves.some(isReducing)) return NO_REDUCTIONS;
    requireConditions(conditions);
    for (const kind of [conditions.sourceKind, conditions.targetKind]) {
      if (!REACHED.includes(kind))
        return unsupported(`GPU kernels reach device, pinned and managed memory, not ${kind} memory`);
    }
    for (const [i, move] of moves.entries()) {
      for (const side of scatteredSides(move)) {
        const box = boxOf(side);
        if (box === undefined) return unsupported(`move ${i} is not strided: its rows differ in length or distance`);
        const { length } = box.dimensions;
        if (length > MOST_DIMENSIONS)
          return unsupported(`move ${i} has ${length} dimensions, more than ${MOST_DIMENSIONS}`);
      }
    }
    const { kernelAvailability: found } = this.#devices;
    return found.ok ? SUPPORTED : unsupported(found.reason);
  }

  /** Predicts the times by STRIDED_COSTS and the profile's section "cuda-strided". */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predictStrided(moves, conditions, profile);
  }

  /**
   * Finds the strided blocks; a single pack or unpack has a kernel as PTX besides, for programs in C. Throws an
   * UnsupportedMoveError where supports() says no.
   */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const boxes = moves.map((move) => requireBox(scatteredLayout(move)));
    const isAlone = moves.length === 1 && moves.every((move) => directionOf(move) !== "copy");
    const standalone = isAlone ? standaloneOf(moves[0] as Move, boxes[0] as Box, conditions) : undefined;
    const payload = dataOf({ boxes, standalone: standalone === undefined ? null : standaloneData(standalone) });
    const key = artifactKey(NAME, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload };
  }

  /**
   * Makes a kernel of an artifact. Throws an ArtifactError for one of another backend or format, or with wrong boxes.
   */
  load(artifact: Artifact): Kernel {
    const { boxes } = payloadOf(artifact);
    const moves = artifact.moves.map((move, i): StridedMove => {
      const known = { move, direction: directionOf(move), box: boxes[i] as Box };
      return known.direction === "copy" ? { ...known, target: requireBox(move.target) } : known;
    });
    const parts = { devices: this.#devices, programs: this.#programs, specialise: this.#specialise };
    return stridedKernel(artifact, moves, parts);
  }

  /** The context that bindings run in. Throws a DriverError, and a BindingError. @internal */
  contextFor(bindings: readonly Binding[]): Context {
    return this.#devices.contextFor(bindings);
  }

  /** Releases the devices; kernels and plans of this backend must be disposed of before. */
  [Symbol.dispose](): void {
    this.#devices[Symbol.dispose]();
  }
}

/** The sides of a move that are no packed stream. */
const scatteredSides = (move: Move): readonly Layout[] =>
  directionOf(move) === "copy" ? [move.source, move.target] : [scatteredLayout(move)];
