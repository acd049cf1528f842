import {
  ArtifactError,
  artifactKey,
  directionOf,
  scatteredLayout,
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
import { Devices, openCuda, type Driver } from "@stowage/cuda-driver";
import { geometryOf } from "./geometry.js";
import { predictStrided } from "./predict.js";
import { StridedKernel } from "./strided-kernel.js";
import { packDirection, type StridedMove } from "./transfer.js";

const NAME = "cuda-strided";
const FORMAT_VERSION = 1;
/** Records of more would not fit a launch's parameters several at a time. */
const MOST_DIMENSIONS = 16;
const REACHED: readonly MemoryKind[] = ["device", "pinned", "managed"];

export interface StridedOptions {
  /**
   * Render a kernel for each single move, its geometry constants of the kernel: a compilation of some milliseconds a
   * geometry, for moves that run often. Default: kernels that all moves of a shape share.
   */
  readonly specialise?: boolean;
}

/** Packs and unpacks strided layouts by GPU kernels with scalar parameters; no metadata lies on the device. */
export class CudaStridedBackend implements Backend, Disposable {
  readonly name = NAME;
  readonly #devices: Devices;
  readonly #specialise: boolean;

  /** `open` gives the driver, when first needed: openCuda, or openSimulatedCuda where there is no GPU. */
  constructor(open: () => Driver = openCuda, options: StridedOptions = {}) {
    this.#devices = new Devices(open);
    this.#specialise = options.specialise ?? false;
  }

  supports(moves: readonly Move[], conditions: Conditions): Support {
    for (const kind of [conditions.sourceKind, conditions.targetKind]) {
      if (!REACHED.includes(kind)) return unsupported(`GPU kernels reach device, pinned and managed memory, not ${kind} memory`);
    }
    for (const [i, move] of moves.entries()) {
      if (directionOf(move) === "copy") return unsupported(`move ${i} has no packed side`);
      const geometry = geometryOf(scatteredLayout(move));
      if (geometry === undefined) return unsupported(`move ${i} is not strided: its rows differ in length or distance`);
      const { length } = geometry.dimensions;
      if (length > MOST_DIMENSIONS) return unsupported(`move ${i} has ${length} dimensions, more than ${MOST_DIMENSIONS}`);
    }
    const { kernelAvailability: found } = this.#devices;
    return found.ok ? SUPPORTED : unsupported(found.reason);
  }

  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predictStrided(moves, conditions, profile);
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    return {
      backend: NAME,
      formatVersion: FORMAT_VERSION,
      key: artifactKey(NAME, FORMAT_VERSION, moves, conditions),
      moves,
      conditions,
      payload: moves.map((move) => {
        const { startBytes, rowBytes, dimensions } = requireGeometry(move);
        return { startBytes, rowBytes, dimensions: dimensions.map(({ count, strideBytes }) => [count, strideBytes]) };
      }),
    };
  }

  load(artifact: Artifact): Kernel {
    if (artifact.backend !== NAME) throw new ArtifactError(`artifact: expected one of ${NAME}, got one of ${artifact.backend}`);
    if (artifact.formatVersion !== FORMAT_VERSION) {
      throw new ArtifactError(`artifact: expected format ${FORMAT_VERSION}, got format ${artifact.formatVersion}`);
    }
    const moves = artifact.moves.map((move): StridedMove => ({
      move,
      direction: packDirection(move),
      geometry: requireGeometry(move),
    }));
    return new StridedKernel(this.#devices, artifact, moves, this.#specialise);
  }

  /** Lets go of the devices; kernels and plans of this backend must be disposed of before. */
  [Symbol.dispose](): void {
    this.#devices[Symbol.dispose]();
  }
}

function requireGeometry(move: Move) {
  const geometry = geometryOf(scatteredLayout(move));
  if (geometry === undefined) throw new ArtifactError("artifact: expected strided moves, got others");
  return geometry;
}
