import { OwnOperations } from "../parts/reductions/own-operations.js";
import { MeasuredAccumulates } from "./accumulate-plan.js";
import { hostMemory, reachOf } from "@stowage/backend-api";
import { layoutStatistics } from "@stowage/ir";
import type { Accumulation } from "@stowage/mpi-abi";
import { isOnHost, type HostPlaced, type Placed } from "../message/place/placed.js";
import type { Hints } from "../message/datatype/hints.js";
import { PlainCarriers } from "../carriers/chooser.js";
import type { Context } from "../message/context.js";
import { planAccumulate, planOf, type AccumulatePlan, type WindowCarrier } from "./accumulate-plan.js";
import type { Epochs } from "./epochs.js";
import type { CheckedTarget, Exposed } from "./target.js";

/** Below this, telling a target what arrives weighs more than packing it. */
const LEAST_PACKED_BYTES = 4096;

const MOST_MEASURED_BYTES = 256 * 1024;

/** What a window may be opened with. */
export type AskedCarrier = "native" | "packed" | "auto";

/** One operation, as far as its carrier is concerned. */
export interface Operated {
  readonly origin: Placed;
  readonly target: CheckedTarget;
  readonly exposed: Exposed;
  /** An accumulate's operation; undefined for put and get. */
  readonly op: Accumulation | undefined;
}

/**
 * How operations of one window travel: between fences both ends can pack; a target under a lock knows nothing of it.
 */
export class WindowCarriers {
  readonly #context: Context;
  readonly #epochs: Epochs;
  readonly #asked: AskedCarrier;
  readonly #hints: () => Hints;
  readonly #isAlone: boolean;
  /** Ranks to which accumulates of this epoch go packed. */
  readonly #packedTo = new Set<number>();
  /** Whether an accumulate was chosen without figures. */
  #wantsTerms = false;

  constructor(
    context: Context,
    epochs: Epochs,
    { carrier, isAlone, hints }: { carrier: AskedCarrier; isAlone: boolean; hints: () => Hints },
  ) {
    this.#context = context;
    this.#epochs = epochs;
    this.#asked = carrier;
    this.#isAlone = isAlone;
    this.#hints = hints;
  }

  /** The carrier of an operation that is made now. */
  carrierOf(operated: Operated): WindowCarrier {
    const { op, target } = operated;
    const { carrier } = this.plan(operated);
    if (op === undefined) return carrier;
    if (carrier === "packed") this.#packedTo.add(target.rank);
    this.#wantsTerms ||= this.#asked === "auto" && this.#context.only(MeasuredAccumulates).terms === undefined;
    return carrier;
  }

  /** The carrier of an operation, and the reason. */
  plan(operated: Operated): AccumulatePlan {
    const { origin, target, exposed, op } = operated;
    if (this.#isAlone) return planOf("packed", "the window has one rank, which carries it out");
    if (exposed.isOnDevice) return this.#planOfDevice();
    if (!this.#epochs.isFenced) return planOf("native", "the target takes no part: there is no fence");
    if (!isOnHost(origin)) return planOf("native", "its origin, a device's memory, is packed already");
    if (this.#asked !== "auto") return planOf(this.#asked, "asked for as the window was made");
    const scattered = [origin.type, target.type].filter((type) => type.dense === undefined);
    if (op !== undefined && this.#context.only(OwnOperations).isWrong(op, target.type))
      return planOf("packed", `${this.#context.native.mpi.name}'s own ${op} of such elements is wrong`);
    if (op !== undefined) return this.#planAccumulate(operated, scattered.length);
    if (scattered.length === 0 || origin.sizeBytes < LEAST_PACKED_BYTES)
      return planOf("native", `elements side by side, or less than ${LEAST_PACKED_BYTES} bytes of them`);
    // Their own packing and unpacking are what native operations save or cost.
    const carriers = scattered.map((type) => this.#measured(type === origin.type ? origin : this.#scratchOf(target)));
    const carrier = carriers.includes("packed") ? "packed" : "native";
    return planOf(carrier, "the MPI's packing of these elements against ours, measured");
  }

  /** Whether this rank chose for accumulates of the epoch that ends without figures. The next epoch begins. */
  endEpoch(): boolean {
    const wanted = this.#wantsTerms;
    this.#wantsTerms = false;
    this.#packedTo.clear();
    return wanted;
  }

  #planAccumulate({ origin, target }: Operated, scattered: number): AccumulatePlan {
    const isBehindPacked = this.#packedTo.has(target.rank);
    if (scattered === 0 && !isBehindPacked) return planOf("native", "elements side by side on both sides");
    const blocks = Math.max(blocksOf(origin), blocksOf(target));
    return planAccumulate(this.#context.only(MeasuredAccumulates).terms, {
      blocks,
      sizeBytes: origin.sizeBytes,
      isBehindPacked,
    });
  }

  /**
   * Memory of a target's GPU, which no MPI reaches: a fence has the target carry it out, under a lock this rank's GPU
   * does.
   */
  #planOfDevice(): AccumulatePlan {
    return this.#epochs.isFenced
      ? planOf("packed", "its target is memory of a device, which its own rank writes at the fence")
      : planOf("remote", "its target is memory of a device, which this rank's GPU reaches (CUDA IPC)");
  }

  #measured(placed: HostPlaced): "native" | "packed" {
    const { carrier } = this.#context.only(PlainCarriers).choose({ placed, use: "collective" }, this.#hints());
    return carrier.name === "native" ? "native" : "packed";
  }

  /** The target's elements in memory of this rank, for measuring. */
  #scratchOf({ type, count }: CheckedTarget): HostPlaced {
    const most = Math.max(1, Math.min(count, Math.floor(MOST_MEASURED_BYTES / type.sizeBytes)));
    const { lowBytes, highBytes } = reachOf(type.layout, { count: most, first: 0, length: most * type.sizeBytes });
    const memory = hostMemory(new Uint8Array(highBytes - lowBytes));
    return this.#context.places.at({ memory, originBytes: -lowBytes }, type, most) as HostPlaced;
  }
}

const blocksOf = ({ type, count }: Pick<Placed, "type" | "count">): number =>
  type.dense === undefined ? count * layoutStatistics(type.layout).blockCount : Math.min(count, 1);
