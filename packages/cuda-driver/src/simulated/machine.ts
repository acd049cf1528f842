import { SimulatedMemory, type Kernel, type Translation } from "@stowage/ptx";
import { INVALID_HANDLE, NOT_READY, STREAM_CAPTURE_UNSUPPORTED, SUCCESS } from "../results.js";
import { Handles } from "./handles.js";
import type { SimulatedOptions } from "./options.js";
import { Peers } from "./peers.js";
import { AddressSpace } from "./space.js";
import {
  drain,
  lastOf,
  send,
  step,
  type GraphNode,
  type Operation,
  type Sent,
  type SimulatedEvent,
  type SimulatedGraph,
  type SimulatedStream,
} from "./timeline.js";

export interface SimulatedFunction {
  readonly translation: Translation;
  readonly device: number;
  sharedBytes: number;
}

export interface SimulatedModule {
  readonly kernel: Kernel;
  /** The device of the context that it was loaded into. */
  readonly device: number;
  readonly functions: Map<string, number>;
}

/** An H200's figures, but for what options say. */
export interface DeviceModel {
  readonly architecture: number;
  readonly memoryBytes: number;
  readonly version: number;
  /** GPUs by their numbers in the machine, in the order of ordinals. */
  readonly gpus: readonly number[];
  readonly devices: number;
}

/** How the names of machines begin. */
const MACHINE = "machine ";

/** Whether a handle was given by a machine of another process that shares no pages: only that one can open it. */
export const isForeign = (machine: Machine, name: string): boolean => name.startsWith(MACHINE) && name !== machine.name;

const GIB = 2 ** 30;

/** All that a simulated driver knows; the calls read and change it. */
export class Machine {
  readonly model: DeviceModel;
  /** What this machine is called among others. */
  readonly name = `${MACHINE}${Math.random()}`;
  readonly space: AddressSpace;
  readonly launched: SimulatedOptions["launched"];
  readonly accessed: SimulatedOptions["accessed"];
  readonly kernels = new Map<string, Kernel>();
  readonly modules = new Handles<SimulatedModule>(0x1000_0000);
  readonly functions = new Handles<SimulatedFunction>(0x1100_0000);
  readonly streams = new Handles<SimulatedStream>(0x1200_0000);
  readonly events = new Handles<SimulatedEvent>(0x1300_0000);
  readonly graphs = new Handles<SimulatedGraph>(0x1400_0000);
  readonly executables = new Handles<SimulatedGraph>(0x1500_0000);
  readonly nodes = new Handles<GraphNode>(0x1600_0000);
  readonly registered = new Map<number, number>();
  readonly limits = new Map<number, number>([
    [0, 1024],
    [1, 2 ** 20],
    [2, 2 ** 23],
    [5, 64],
    [6, 0],
  ]);
  readonly #legacy = new Map<number, SimulatedStream>();
  readonly retained = new Map<number, number>();
  readonly peers = new Peers();
  initialised = false;
  /** The device of the current context; undefined where none is current. */
  current: number | undefined;
  /** The result that every call gives after a kernel faulted, and what the interpreter said of it. */
  sticky: { readonly result: number; readonly text: string } | undefined;

  constructor(options: SimulatedOptions) {
    const gpus = options.visible ?? Array.from({ length: options.devices ?? 1 }, (_, i) => i);
    this.model = {
      gpus,
      architecture: options.architecture ?? 90,
      memoryBytes: options.memoryBytes ?? 141 * GIB,
      version: options.version ?? 13_000,
      devices: gpus.length,
    };
    this.launched = options.launched;
    this.accessed = options.accessed;
    this.space = new AddressSpace(
      options.memory ?? new SimulatedMemory({ capacityBytes: options.backedBytes ?? 2 ** 28 }),
      options.shared,
    );
  }

  /** The ordinal of a GPU of the machine; of one that this process does not see, a number past all ordinals. */
  ordinalOf(gpu: number): number {
    const ordinal = this.model.gpus.indexOf(gpu);
    return ordinal < 0 ? this.model.devices + gpu : ordinal;
  }

  /** A stream by its handle; 0 and CU_STREAM_LEGACY (1) are the current device's legacy default stream. */
  stream(handle: number): SimulatedStream | undefined {
    return handle > 1 ? this.streams.get(handle) : this.#legacyOf(this.current ?? 0);
  }

  /** What acts on a stream gives, or that there is none by this handle. */
  withStream(handle: number, act: (stream: SimulatedStream) => number): number {
    const stream = this.stream(handle);
    return stream === undefined ? INVALID_HANDLE : act(stream);
  }

  withEvent(handle: number, act: (event: SimulatedEvent) => number): number {
    const event = this.events.get(handle);
    return event === undefined ? INVALID_HANDLE : act(event);
  }

  /** The result of a call that learns how work went: of a lost context, its loss. */
  outcome(otherwise = SUCCESS): number {
    return this.sticky?.result ?? otherwise;
  }

  /** A query never waits: it tells what was so when it was asked, and lets the device work on meanwhile. */
  progress(stream: SimulatedStream, done: boolean): number {
    if (done) return this.outcome();
    step(stream);
    return this.outcome(NOT_READY);
  }

  /** Sends work to a stream, or records it where the stream captures. */
  enqueue(handle: number, node: GraphNode): number {
    const stream = this.stream(handle);
    if (stream === undefined) return INVALID_HANDLE;
    if (stream.capture !== undefined) {
      stream.capture.graph.nodes.set(this.nodes.add(node), node);
      stream.capture.open.add(stream);
    } else this.send(stream, () => node.run());
    return SUCCESS;
  }

  /** Sends work of another library to a stream: tried until it is done, and meanwhile other streams go on. */
  enqueueAttempts(handle: number, attempt: () => boolean): number {
    const stream = this.stream(handle);
    if (stream === undefined) return INVALID_HANDLE;
    if (stream.capture !== undefined) return STREAM_CAPTURE_UNSUPPORTED;
    let isTrying = false;
    this.send(stream, () => {
      if (isTrying) return false;
      isTrying = true;
      try {
        if (attempt()) return true;
        for (const other of this.streams.all()) if (other !== stream) step(other);
        return attempt();
      } finally {
        isTrying = false;
      }
    });
    return SUCCESS;
  }

  /** Work of the legacy default stream waits for all blocking streams of its device, and theirs for it. */
  send(stream: SimulatedStream, run: Operation["run"]): Operation {
    const legacy = this.#legacyOf(stream.device);
    if (stream === legacy) return send(stream, run, this.#lastOfBlocking(stream.device));
    return send(stream, run, stream.blocking ? lastOf(legacy) : []);
  }

  #legacyOf(device: number): SimulatedStream {
    const known = this.#legacy.get(device) ?? { device, blocking: false, pending: [] };
    this.#legacy.set(device, known);
    return known;
  }

  #lastOfBlocking(device: number): readonly Sent[] {
    return [...this.streams.all()].filter((each) => each.blocking && each.device === device).flatMap(lastOf);
  }

  /** What lives in a device's context goes with its last holder: memory, streams and what waits in them. */
  destroyContext(device: number): void {
    for (const [handle, stream] of this.streams.entries()) if (stream.device === device) this.streams.remove(handle);
    this.#legacy.delete(device);
    this.space.freeAll(device);
    this.peers.forget(device);
    if (this.current === device) this.current = undefined;
  }

  /** Runs all work of all streams. */
  drainAll(): void {
    for (const stream of this.streams.all()) drain(stream);
    for (const stream of this.#legacy.values()) drain(stream);
  }
}
