import {
  ArtifactError,
  artifactKey,
  checkBindings,
  directionOf,
  DisposedError,
  requireArtifact,
  scatteredLayout,
  type Artifact,
  type Backend,
  type Binding,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
  type Prediction,
  type Profile,
  type Support,
} from "@stowage/backend-api";
import { withDeviceErrors } from "@stowage/cuda-plans";
import { requireOptions } from "@stowage/ir";
import type { CudaStridedBackend } from "../backend.js";
import { FORMAT_VERSION } from "../payload.js";
import { requireBox, transfersOf, type StridedMove } from "../transfer.js";
import { DoorbellPlan } from "./doorbell-plan.js";
import { ResidentPack, type ResidentOptions } from "./resident-pack.js";

const NAME = "doorbell/cuda-strided";
/**
 * Of a launch's time, what a bell takes: 3.4 of 9.7 us for 1 KiB to the host on an H200
 * (results/h200/routes-latency.json).
 */
const SHARE_OF_A_LAUNCH = 3.4 / 9.7;

/**
 * A backend below a launch's latency: each plan has a kernel that stays on the device and is rung by a word in mapped
 * memory. It is used only where it is put among an engine's backends: while a kernel waits it holds a multiprocessor
 * and reads the bus, and calls that wait for the device wait for it, for at most `idleMicroseconds`. A run waits for
 * its queue, and is over when it returns; copies, and several moves at once, are launched. Its kernels are those of the
 * backend that it is given, which must outlive it.
 */
export class DoorbellBackend implements Backend {
  /** Always "doorbell/cuda-strided". */
  readonly name = NAME;
  readonly #packer: CudaStridedBackend;
  readonly #options: ResidentOptions;

  /** Takes the backend whose kernels it rings. Throws an ArgumentError for an option that is none. */
  constructor(packer: CudaStridedBackend, options: ResidentOptions = {}) {
    requireOptions(options, `options of ${NAME}`, ["idleMicroseconds"]);
    this.#packer = packer;
    this.#options = options;
  }

  /** Whether the backend that it was given takes the moves. */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    return this.#packer.supports(moves, conditions);
  }

  /** Predicts the times of the backend that it was given, less the part of a launch that a ring saves. */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    const launched = this.#packer.predict(moves, conditions, profile);
    if (rungMove(moves) === undefined) return launched;
    const { runNs } = this.#packer.predict(moves, { ...conditions, count: 0 }, profile);
    return { ...launched, runNs: launched.runNs - (1 - SHARE_OF_A_LAUNCH) * runNs };
  }

  /** Compiles as the backend that it was given. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const artifact = this.#packer.compile(moves, conditions);
    return { ...artifact, backend: NAME, key: artifactKey(NAME, FORMAT_VERSION, moves, conditions) };
  }

  /**
   * Makes a kernel of an artifact. Throws an ArtifactError for one of another backend or format, or with wrong boxes.
   */
  load(artifact: Artifact): Kernel {
    const { backend } = requireArtifact(artifact);
    if (backend !== NAME) throw new ArtifactError(`artifact: expected one of ${NAME}, got one of ${backend}`);
    const launched = this.#packer.load({ ...artifact, backend: this.#packer.name });
    return new DoorbellKernel(artifact, launched, this.#packer, this.#options);
  }
}

/** The move that a bell is of: one, with a packed side; undefined: all are launched. */
const rungMove = ([move, ...others]: readonly Move[]): Move | undefined =>
  move !== undefined && others.length === 0 && directionOf(move) !== "copy" ? move : undefined;

class DoorbellKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #launched: Kernel;
  readonly #packer: CudaStridedBackend;
  readonly #options: ResidentOptions;
  #disposed = false;

  constructor(artifact: Artifact, launched: Kernel, packer: CudaStridedBackend, options: ResidentOptions) {
    this.#artifact = artifact;
    this.#launched = launched;
    this.#packer = packer;
    this.#options = options;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    const [move, binding] = [rungMove(moves), bindings[0] as Binding];
    if (move === undefined) return this.#launched.bind(bindings);
    const strided: StridedMove = { move, direction: directionOf(move), box: requireBox(scatteredLayout(move)) };
    const context = withDeviceErrors(() => this.#packer.contextFor(bindings));
    const parts = {
      context,
      launched: this.#launched.bind(bindings),
      rings: (asked: Binding) => transfersOf(strided, 0, asked).length === 1,
      residentFor: (asked: Binding) =>
        new ResidentPack({ move: strided, moves, conditions, context }, asked, this.#options),
    };
    return new DoorbellPlan(parts, binding);
  }

  explain(): string {
    return `route ${NAME}: a kernel that stays on the device is rung; a run waits for its queue\n${this.#launched.explain()}`;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#launched[Symbol.dispose]();
  }
}
