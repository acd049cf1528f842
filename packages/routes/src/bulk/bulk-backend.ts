import {
  artifactKey,
  checkBindings,
  DisposedError,
  requireArtifactOf,
  requireConditions,
  requireMoves,
  unsupported,
  UnsupportedMoveError,
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
  isReducing,
  NO_REDUCTIONS,
} from "@stowage/backend-api";
import { soleDeviceOf, withDeviceErrors } from "@stowage/cuda-plans";
import { layoutStatistics, type Layout } from "@stowage/ir";
import { figuresOf, type Figures } from "../figures.js";
import type { RoutePools } from "../pool/route-pools.js";
import { areDense, areOfHost, BETWEEN_HOSTS, isOnDevice } from "../sides.js";
import { BulkPlan } from "./bulk-plan.js";

const FORMAT_VERSION = 1;
/** A packer that predicts nothing is taken to cost nothing beside the bus. */
const NOTHING: Prediction = { commitNs: 1, runNs: 1 };

/**
 * A backend that packs to the host without a multiprocessor, for types that copy engines cannot express: it copies
 * sections of the data whole by DMA, and the processor packs them (Jenkins et al., Cluster 2012, section 3.3). It packs
 * only: unpacking would write the gaps. It takes pageable memory only: a run is over when it returns, where one into
 * pinned memory is expected to wait in its queue.
 */
export class BulkBackend implements Backend {
  /** The name, such as "bulk/x64". */
  readonly name: string;
  /** The backend of the host that packs. */
  readonly packer: Backend;
  readonly #pools: RoutePools;

  /** `packer` packs on the host, from pinned memory of `pools`; who made the two disposes of them. */
  constructor(packer: Backend, pools: RoutePools) {
    this.name = `bulk/${packer.name}`;
    this.packer = packer;
    this.#pools = pools;
  }

  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    if (moves.some(isReducing)) return NO_REDUCTIONS;
    if (areOfHost(conditions)) return BETWEEN_HOSTS;
    const { sourceKind, targetKind } = requireConditions(conditions);
    if (!isOnDevice(sourceKind)) return unsupported(`bulk copies come from a device, not ${sourceKind} memory`);
    if (targetKind !== "host") return unsupported(`the processor packs into pageable memory, not ${targetKind} memory`);
    if (!areDense(moves, "target")) return unsupported("bulk copies are packed on the host");
    const { availability } = this.#pools;
    if (!availability.ok) return unsupported(availability.reason);
    return this.packer.supports(moves, onHost(conditions));
  }

  /** Sections over the bus until the host has seen them, a move after the other, and what the packer says. */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    requireMoves(moves);
    requireConditions(conditions);
    const { commitNs, runNs } = this.packer.predict?.(moves, onHost(conditions), profile) ?? NOTHING;
    const count = conditions.count === "any" ? 1 : conditions.count;
    const figures = figuresOf(profile);
    const busNs = moves.reduce((sum, { source }) => sum + sectionsNs(source, count, figures), 0);
    return { commitNs, runNs: figures.bulkNs + figures.mirrorFactor * (busNs + runNs) };
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(this.name, support.reason);
    const key = artifactKey(this.name, FORMAT_VERSION, moves, conditions);
    return { backend: this.name, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: null };
  }

  load(artifact: Artifact): Kernel {
    const { moves, conditions } = requireArtifactOf(artifact, this.name, FORMAT_VERSION);
    const packers = moves.map((move) => this.packer.load(this.packer.compile([move], onHost(conditions))));
    return new BulkKernel(moves, conditions, packers, this.#pools);
  }
}

/** What the host's packer is told: its source is a mirror, of which nothing is known. */
const onHost = (conditions: Conditions): Conditions =>
  Object.freeze({ ...conditions, sourceKind: "pinned", sourceAlignment: 1 });

/** The elements' reach whole, or each block by itself: whichever is less, as sections are cut. */
function sectionsNs(layout: Layout, count: number, { sectionNs, busBytesPerNs }: Figures): number {
  const { sizeBytes, trueExtentBytes, extentBytes } = layout;
  const packedBytes = sizeBytes * count;
  const reachBytes = trueExtentBytes + Math.max(0, count - 1) * Math.abs(extentBytes);
  const byBlock = packedBytes / busBytesPerNs + layoutStatistics(layout).blockCount * count * sectionNs;
  return Math.min(Math.max(packedBytes, reachBytes) / busBytesPerNs, byBlock);
}

class BulkKernel implements Kernel {
  readonly #moves: readonly Move[];
  readonly #conditions: Conditions;
  readonly #packers: readonly Kernel[];
  readonly #pools: RoutePools;
  #disposed = false;

  constructor(moves: readonly Move[], conditions: Conditions, packers: readonly Kernel[], pools: RoutePools) {
    this.#moves = moves;
    this.#conditions = conditions;
    this.#packers = packers;
    this.#pools = pools;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const [moves, conditions] = [this.#moves, this.#conditions];
    checkBindings(moves, bindings, conditions);
    const pool = withDeviceErrors(() => this.#pools.on(soleDeviceOf(bindings)));
    return new BulkPlan({ moves, conditions, packers: this.#packers, pool }, bindings);
  }

  explain(): string {
    return ["sections whole over the bus, no multiprocessor, packed on the host:"]
      .concat(this.#packers.map((packer) => packer.explain()))
      .join("\n");
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const packer of this.#packers) packer[Symbol.dispose]();
  }
}
