import {
  DisposedError,
  DONE,
  type Binding,
  type CaptureOptions,
  type Completion,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import {
  captureGraph,
  DriverError,
  type Context,
  type ExecutableGraph,
  type Graph,
  type Launch,
  type StreamHandle,
} from "@stowage/cuda-driver";
import { Completions } from "./completions.js";
import { asDeviceError, withDeviceErrors } from "./device-errors.js";
import { FlagCompletions } from "./flag-completions.js";
import { LEGACY_STREAM } from "./legacy-stream.js";
import type { Marker } from "./marker.js";
import { requireOwnQueue } from "./require-own-queue.js";

/** A plan whose work CapturedPlan can record. */
export interface Capturable {
  /** The context that its work runs in. */
  readonly context: Context;
  /** Binds move i anew, as `Plan.rebind` does. */
  rebind(i: number, binding: Binding): void;
  /**
   * Makes the work ready, outside of any capture. False where there is nothing to send. Throws a DeviceError for work
   * that cannot be captured.
   */
  readyForCapture(): boolean;
  /** Uploads now what would be uploaded in stream order; no run may be reading it. */
  settle(): void;
  /** Sends the work to a queue that is capturing. */
  sendCaptured(queue: StreamHandle): void;
  /** The launches, where the work is nothing else; undefined where it is more. */
  readonly launches: readonly Launch[] | undefined;
  /** Gives back what was taken for the capture, and for nothing else. */
  releaseCapture(): void;
}

/**
 * A plan's work as an executable graph: a run is one launch of it. Binding other memory binds the plan, and changes the
 * addresses in the graph; runs that were sent keep theirs. The plan must outlive it.
 */
export class CapturedPlan implements Plan {
  readonly #plan: Capturable;
  readonly #queue: StreamHandle;
  readonly #marker: Marker;
  /** The graph holds the names of its nodes. */
  #recorded: { readonly graph: Graph; readonly executable: ExecutableGraph } | undefined;
  /** The nodes of a graph that has launches alone; else none. */
  #nodes: readonly number[] = [];
  #stale = true;
  #disposed = false;

  /**
   * Records the plan's work on `queue`, which runs none of it. Throws a BindingError for a queue of another device, and
   * a DeviceError where the work cannot be captured.
   */
  constructor(plan: Capturable, queue: Queue, { completion = "event" }: CaptureOptions = {}) {
    this.#plan = plan;
    this.#queue = queue;
    const { context } = plan;
    requireOwnQueue(context, queue, "queue to capture on");
    this.#marker = withDeviceErrors(() =>
      completion === "flag" ? new FlagCompletions(context) : new Completions(context),
    );
    try {
      withDeviceErrors(() => this.#refresh());
    } catch (error) {
      this.#marker[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Launches the graph, as `Plan.run` does. Throws a DisposedError, a BindingError for a queue of another device, and a
   * DeviceError where the driver fails.
   */
  run(queue: StreamHandle = LEGACY_STREAM): Completion {
    if (this.#disposed) throw new DisposedError("captured plan");
    requireOwnQueue(this.#plan.context, queue);
    try {
      if (this.#stale) this.#refresh();
      if (this.#recorded === undefined) return DONE;
      this.#recorded.executable.launch(queue);
      return this.#marker.record(queue);
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  /** Binds move i of the plan anew; the graph follows with the next run. Throws as `Plan.rebind` does. */
  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("captured plan");
    this.#plan.rebind(i, binding);
    this.#stale = true;
  }

  /** Waits for its runs, because what they use goes with it. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => {
      this.#marker.wait();
      this.#drop();
      this.#marker[Symbol.dispose]();
      this.#plan.releaseCapture();
    });
  }

  /** Addresses of launches are written into their nodes; where there is more than launches, all is recorded anew. */
  #refresh(): void {
    const plan = this.#plan;
    const some = plan.readyForCapture();
    this.#stale = false;
    if (!some) return this.#drop();
    const { launches } = plan;
    if (this.#recorded !== undefined && launches !== undefined && launches.length === this.#nodes.length) {
      const { executable } = this.#recorded;
      return launches.forEach((launch, i) => executable.update(this.#nodes[i] as number, launch));
    }
    this.#marker.wait();
    plan.settle();
    this.#takeOver(captureGraph(plan.context, this.#queue, () => plan.sendCaptured(this.#queue)));
  }

  /** Runs a recorded graph from now on: in the place of one of the same shape, where there is one. */
  #takeOver(graph: Graph): void {
    if (this.#recorded !== undefined && updates(this.#recorded.executable, graph)) return graph[Symbol.dispose]();
    this.#drop();
    this.#recorded = { graph, executable: graph.instantiate() };
    const { launches } = this.#plan;
    const nodes = launches === undefined ? [] : graph.kernelNodes();
    this.#nodes = nodes.length === launches?.length ? nodes : [];
  }

  #drop(): void {
    this.#recorded?.executable[Symbol.dispose]();
    this.#recorded?.graph[Symbol.dispose]();
    this.#recorded = undefined;
    this.#nodes = [];
  }
}

const GRAPH_EXEC_UPDATE_FAILURE = 910;

/** False where the graphs differ in more than their parameters. */
function updates(executable: ExecutableGraph, graph: Graph): boolean {
  try {
    executable.updateFrom(graph);
    return true;
  } catch (error) {
    if (error instanceof DriverError && error.result === GRAPH_EXEC_UPDATE_FAILURE) return false;
    throw error;
  }
}
