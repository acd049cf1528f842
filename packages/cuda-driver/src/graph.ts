import { int32, otherWord64, takeInt, takeWord, word64 } from "./cells.js";
import { check, requireInUse } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import type { Launch } from "./launch.js";
import { release } from "./release.js";

const KERNEL_NODE = 0;

/** Work that was recorded from a stream, not yet made ready to run. */
export class Graph {
  /** The context that it lives in. */
  readonly context: ContextHandle;
  readonly #handle: number;
  #disposed = false;

  /** Takes over a CUgraph; `Stream.capture` is the usual way. */
  constructor(context: ContextHandle, handle: number) {
    this.context = context;
    this.#handle = handle;
  }

  /** The CUgraph, as a number. Throws a DriverError after the graph was disposed of. */
  get handle(): number {
    requireInUse("graph", this.#disposed);
    return this.#handle;
  }

  /** The handles of its nodes, in the order of the capture where that was one stream. */
  nodes(): readonly number[] {
    const { libcuda } = this.context;
    otherWord64[0] = 0n;
    check(libcuda, "cuGraphGetNodes", libcuda.cuGraphGetNodes(this.handle, 0, otherWord64));
    const nodes = new BigUint64Array(Number(otherWord64[0]));
    if (nodes.length > 0) {
      check(libcuda, "cuGraphGetNodes", libcuda.cuGraphGetNodes(this.handle, nodes, otherWord64));
    }
    return Array.from(nodes, Number);
  }

  /** The handles of the nodes that launch kernels; their parameters can be changed after instantiation. */
  kernelNodes(): readonly number[] {
    const { libcuda } = this.context;
    return this.nodes().filter((node) => {
      check(libcuda, "cuGraphNodeGetType", libcuda.cuGraphNodeGetType(node, int32));
      return takeInt() === KERNEL_NODE;
    });
  }

  /**
   * Makes the graph ready to run. The kernels' modules must stay loaded and their buffers alive. Throws a DriverError
   * where the driver refuses it.
   */
  instantiate(): ExecutableGraph {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuGraphInstantiate", libcuda.cuGraphInstantiateWithFlags(word64, this.handle, 0));
    return new ExecutableGraph(this.context, takeWord());
  }

  /** Destroys the graph; what was instantiated of it lives on. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    release(this.context, "cuGraphDestroy", () => this.context.libcuda.cuGraphDestroy(this.#handle));
  }
}

/** A graph that is ready to run, again and again: one call for all its work. */
export class ExecutableGraph {
  /** The context that it lives in. */
  readonly context: ContextHandle;
  readonly #handle: number;
  #disposed = false;

  /** Takes over a CUgraphExec; `Graph.instantiate` is the usual way. */
  constructor(context: ContextHandle, handle: number) {
    this.context = context;
    this.#handle = handle;
  }

  /** The CUgraphExec, as a number. Throws a DriverError after it, or its context, was disposed of. */
  get handle(): number {
    requireInUse("executable graph", this.#disposed || this.context.disposed);
    return this.#handle;
  }

  /** Sends all work of the graph to a stream. Throws a DriverError where the driver refuses it. */
  launch(stream: StreamHandle): void {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuGraphLaunch", libcuda.cuGraphLaunch(this.handle, stream.handle));
  }

  /**
   * Takes the parameters of every node, copies among them, from a graph of the same shape; runs that were sent keep
   * theirs. Throws a DriverError where the graphs differ in more.
   */
  updateFrom(graph: Graph): void {
    const { libcuda } = this.context;
    this.context.enter();
    const answer = new BigUint64Array(3); // CUgraphExecUpdateResultInfo: a result and two nodes
    const result = libcuda.cuGraphExecUpdate_v2(this.handle, graph.handle, answer);
    check(libcuda, "cuGraphExecUpdate", result, "expected a graph of the same nodes in the same order");
  }

  /**
   * Gives a kernel node the launch's grid and parameters as they are now; runs that were sent keep theirs. `node` is a
   * handle of `Graph.kernelNodes`.
   */
  update(node: number, launch: Launch): void {
    const { libcuda } = this.context;
    const result = libcuda.cuGraphExecKernelNodeSetParams_v2(this.handle, node, launch.nodeParameters());
    check(libcuda, "cuGraphExecKernelNodeSetParams", result);
  }

  /** Destroys it; runs that were sent end as they would have. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    release(this.context, "cuGraphExecDestroy", () => this.context.libcuda.cuGraphExecDestroy(this.#handle));
  }
}
