import {
  artifactKey,
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
} from "@stowage/backend-api";
import { openCuda, type Context } from "@stowage/cuda-driver";
import { requireOptions, runsApart } from "@stowage/ir";
import { Devices } from "@stowage/cuda-plans";
import { compileMoves } from "./compile.js";
import { DeviceState } from "./device-state.js";
import { genericKernel } from "./kernel.js";
import { DEFAULT_TUNING, type CudaGenericOptions, type Tuning } from "./options.js";
import { dataOf, FORMAT_VERSION, NAME, payloadOf } from "./payload.js";
import { predict } from "./cost-model.js";
import { RenderedKernels } from "./rendered.js";

/**
 * Moves any datatype on a GPU, by one kernel over the serialised layout (Jenkins et al., Cluster 2012 and TPDS 2014).
 */
export class CudaGenericBackend implements Backend, Disposable {
  /** "cuda-generic" unless the options name it: an engine may have several, in several tunings. */
  readonly name: string;
  /** Always true; which reductions it takes, supports() says. */
  readonly reduces = true;
  /** Whether it takes tables: the generic tier does, for nothing of such moves is built into its kernel. */
  readonly tables: boolean;
  readonly #devices: Devices;
  readonly #states = new Map<Context, DeviceState>();
  readonly #tuning: Tuning;
  readonly #rendered = new RenderedKernels();

  /** Opens no driver yet. Throws an ArgumentError for an option that is none. */
  constructor(options: CudaGenericOptions = {}) {
    requireOptions(options, `options of ${NAME}`, ["driver", "tuning", "name"]);
    if (options.tuning !== undefined) requireOptions(options.tuning, `tuning of ${NAME}`, Object.keys(DEFAULT_TUNING));
    const { driver = openCuda } = options;
    this.#devices = new Devices(typeof driver === "function" ? driver : () => driver);
    this.#tuning = { ...DEFAULT_TUNING, ...options.tuning };
    this.name = options.name ?? NAME;
    this.tables = this.#tuning.tier === "generic";
  }

  /**
   * Whether it takes the moves: in device, pinned and managed memory, where there is a device that runs its kernels.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    const { sourceKind, targetKind } = requireConditions(conditions);
    const unreachable = [sourceKind, targetKind].find((kind) => !isReachable(kind));
    if (unreachable !== undefined) return unsupported(`a GPU does not reach ${unreachable} memory: pin it, or copy it`);
    const refused = reasonAgainstReduction(moves, conditions) ?? reasonAgainstTables(moves);
    if (refused !== undefined) return unsupported(refused);
    const availability = this.#devices.kernelAvailability;
    return availability.ok ? SUPPORTED : unsupported(availability.reason);
  }

  /** Predicts the times by genericCosts of its tier. */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predict(moves, conditions, profile, this.#tuning.tier);
  }

  /** Serialises the layouts and prints the kernels as PTX. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const payload = dataOf(compileMoves(moves, conditions, this.#tuning, this.#rendered));
    const key = artifactKey(`${NAME}-${JSON.stringify(this.#tuning)}`, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload };
  }

  /** Makes a kernel of an artifact. Throws an ArtifactError for one of another backend or format. */
  load(artifact: Artifact): Kernel {
    const stateOn = (context: Context): DeviceState => this.#stateOn(context);
    return genericKernel(artifact, payloadOf(artifact), { devices: this.#devices, tuning: this.#tuning, stateOn });
  }

  /** Gives back the devices' contexts; kernels and plans of this backend must be disposed of before. */
  [Symbol.dispose](): void {
    for (const state of this.#states.values()) state[Symbol.dispose]();
    this.#states.clear();
    this.#devices[Symbol.dispose]();
  }

  #stateOn(context: Context): DeviceState {
    const known = this.#states.get(context) ?? new DeviceState(context);
    this.#states.set(context, known);
    return known;
  }
}

/** Threads combine in no order: no two of them may meet in an element, and a launch knows one way to combine. */
function reasonAgainstReduction(moves: readonly Move[], { count }: Conditions): string | undefined {
  const [first] = moves;
  if (first === undefined || !moves.some(isReducing)) return undefined;
  const isOne = ({ reduction }: Move): boolean =>
    reduction?.op === first.reduction?.op && reduction?.element === first.reduction?.element;
  if (!moves.every(isOne)) return "a launch combines all its moves' elements in one way";
  const areApart = moves.every(({ target }) => runsApart(target, count === "any" ? Infinity : count));
  return areApart ? undefined : "its threads combine no elements that share bytes";
}

/** A launch reads its tables in one form. */
function reasonAgainstTables(moves: readonly Move[]): string | undefined {
  if (!moves.some(isTabled)) return undefined;
  const [{ tables: first } = {}] = moves;
  const isOne = ({ tables }: Move): boolean =>
    tables?.source?.index === first?.source?.index &&
    tables?.target?.index === first?.target?.index &&
    tables?.skips === first?.skips;
  return moves.every(isOne) ? undefined : "a launch reads the tables of all its moves in one form";
}

const isReachable = (kind: MemoryKind): boolean => kind === "device" || kind === "pinned" || kind === "managed";
