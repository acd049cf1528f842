import {
  checkBinding,
  checkBindings,
  countInMemory,
  DeviceError,
  DisposedError,
  DONE,
  TABLE_ENTRY_BYTES,
  type Binding,
  type BoundTables,
  type Buffer,
  type CaptureOptions,
  type Completion,
  type Move,
  type Plan,
  type Queue,
  type Span,
} from "@stowage/backend-api";
import type { Context, Launch, LoadedKernel, PinnedMemory, StreamHandle } from "@stowage/cuda-driver";
import {
  asDeviceError,
  CapturedPlan,
  checkMemory,
  Completions,
  LEGACY_STREAM,
  originAddress,
  requireOwnQueue,
  withDeviceErrors,
  type Capturable,
} from "@stowage/cuda-plans";
import type { DeviceState } from "../device-state.js";
import type { PlanRoom } from "../plan-memory.js";
import type { DeviceTables } from "../tables.js";
import { OtherTables } from "./other-tables.js";
import { tabledKernel } from "./tabled-kernel.js";
import { tabledLaunch, type TableAddresses, type TabledFacts } from "./tabled-launch.js";
import { TABLED_THREADS, tabledName } from "./variant.js";

/** What a plan has from its kernel. */
export interface TabledParts extends Omit<TabledFacts, "lookasideAddress" | "multiprocessors"> {
  readonly context: Context;
  readonly device: DeviceState;
  readonly tables: DeviceTables;
}

/** A launch with the device memory that it reads, beside what lies there already. */
interface Ready {
  readonly launch: Launch;
  readonly rooms: readonly PlanRoom[];
}

/** Rooms of launches that may still run; then their end is waited for. */
const MOST_RETIRED = 16;
const FAULT_BYTES = 8;
const COUNT_BYTES = 4;

/**
 * Moves with tables, bound to memory on one device. Tables in host memory are copied to the device when they are bound;
 * those that a device reaches are read where they lie, when the work runs.
 */
export class TabledPlan implements Plan, Capturable {
  readonly context: Context;
  readonly #parts: TabledParts;
  readonly #bindings: Binding[];
  readonly #completions: Completions;
  readonly #fault: PinnedMemory;
  #retired: Ready[] = [];
  /** Undefined where the bindings call for another. */
  #ready: Ready | undefined;
  /** What writes other tables into the launch that is ready. */
  #others: OtherTables | undefined;
  /** What it has written last, for all moves. */
  #latest: Pick<Binding, "tables" | "count"> | undefined;
  /** The latest launch: bindings that take the same kernel write its parameters anew. */
  #launched: { readonly kernel: LoadedKernel; readonly launch: Launch } | undefined;
  #isPrepared = false;
  /** Counts in host memory, as the launch has them; undefined where none lies there. */
  #counts: string | undefined;
  /** The latest run's end: that of a queue is told by one object. */
  #end: FaultCompletion | undefined;
  #disposed = false;

  /** The bindings have been checked, but for what only the driver knows. Throws a BindingError, a DeviceError. */
  constructor(parts: TabledParts, bindings: readonly Binding[]) {
    this.#parts = parts;
    this.context = parts.context;
    this.#bindings = bindings.map(kept);
    bindings.forEach((binding, i) => this.#ask(i, binding));
    this.#fault = withDeviceErrors(() => parts.context.pinnedMemory(FAULT_BYTES));
    this.#fault.bytes.fill(0);
    this.#completions = new Completions(parts.context);
    parts.tables.hold();
    try {
      withDeviceErrors(() => this.#prepare());
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  run(queue: StreamHandle = LEGACY_STREAM): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    requireOwnQueue(this.context, queue);
    try {
      const ready = this.#prepare();
      if (ready === undefined) return DONE;
      ready.launch.run(queue);
      return this.#endOf(this.#completions.record(queue));
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    if (i === 0 && this.#bindings.length === 1) return this.rebindAll([binding]);
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    this.#ask(i, binding);
    this.#settleTables();
    this.#bindings[i] = kept(binding);
    this.#retire();
  }

  rebindAll(bindings: readonly Binding[]): void {
    if (this.#disposed) throw new DisposedError("plan");
    if (this.#isPrepared && this.#others?.takes(bindings) === true) {
      const [{ tables, count }] = bindings as [Binding];
      this.#latest = { tables: { ...tables }, count };
      return;
    }
    checkBindings(this.#parts.moves, bindings, this.#parts.conditions);
    bindings.forEach((binding, i) => this.#ask(i, binding));
    bindings.forEach((binding, i) => (this.#bindings[i] = kept(binding)));
    this.#latest = undefined;
    this.#retire();
  }

  rebindTables(tables: BoundTables, count: number): void {
    if (this.#disposed) throw new DisposedError("plan");
    if (this.#isPrepared && this.#others?.takesTables(tables, count) === true)
      this.#latest = { tables: { ...tables }, count };
    else this.rebindAll(this.#bindings.map((binding, i) => this.#withTables(i, binding, tables, count)));
  }

  capture(queue: Queue, options: CaptureOptions = {}): Plan {
    if (this.#disposed) throw new DisposedError("plan");
    const captured = new CapturedPlan(this, queue, options);
    return {
      run: (on) => {
        const completion = captured.run(on);
        return completion === DONE ? DONE : this.#endOf(completion);
      },
      rebind: (i, binding) => captured.rebind(i, binding),
      [Symbol.dispose]: () => captured[Symbol.dispose](),
    };
  }

  #endOf(completion: Completion): Completion {
    if (this.#end?.completion !== completion) this.#end = new FaultCompletion(completion, this.#fault.bytes);
    return this.#end;
  }

  get launches(): readonly Launch[] | undefined {
    const ready = withDeviceErrors(() => this.#prepare());
    return ready === undefined ? undefined : [ready.launch];
  }

  readyForCapture(): boolean {
    return this.#prepare() !== undefined;
  }

  settle(): void {
    // Tables that are copied are there when they are bound.
  }

  sendCaptured(queue: StreamHandle): void {
    this.#prepare()?.launch.run(queue);
  }

  releaseCapture(): void {
    // It uses what the plan has.
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    withDeviceErrors(() => {
      this.#retire();
      this.#release();
      this.#completions[Symbol.dispose]();
      this.#fault[Symbol.dispose]();
      this.#parts.tables.release();
    });
  }

  #prepare(): Ready | undefined {
    if (this.#isPrepared && (this.#counts === undefined || this.#counts === hostCounts(this.#bindings)))
      return this.#ready;
    if (!this.#isPrepared) this.#settleTables();
    const counts = hostCounts(this.#bindings);
    this.#retire();
    this.#counts = counts;
    const uploads = new Uploads(this.#parts.device);
    try {
      this.#ready = this.#launchWith(uploads);
    } catch (error) {
      uploads.release();
      throw error;
    }
    this.#isPrepared = true;
    return this.#ready;
  }

  #launchWith(uploads: Uploads): Ready | undefined {
    const { device, tables, moves, context } = this.#parts;
    const addresses = this.#bindings.map((binding, i) => tablesOn(uploads, moves[i] as Move, binding));
    const { multiprocessors } = context.device;
    const facts = { ...this.#parts, multiprocessors, lookasideAddress: tables.address };
    const chosen = tabledLaunch(facts, this.#bindings, addresses);
    if (chosen === undefined) return undefined;
    const { variant, blocks, block } = chosen;
    const kernel = device.kernel(tabledName(variant), () => tabledKernel(variant));
    const planBytes = variant.planBytes || POINTER_BYTES;
    const shape = { grid: { x: blocks }, block: { x: TABLED_THREADS } };
    if (this.#launched?.kernel === kernel) this.#launched.launch.reshape(shape);
    else this.#launched = { kernel, launch: kernel.launch(planBytes + POINTER_BYTES, shape) };
    const { launch } = this.#launched;
    this.#others = OtherTables.of({ ...facts, bindings: [...this.#bindings] }, chosen, launch);
    if (variant.planBytes > 0) new Uint8Array(launch.parameters.buffer).set(block);
    else launch.setWord(0, uploads.copy(block));
    launch.setWord(planBytes, this.#fault.address);
    return { launch, rooms: uploads.rooms };
  }

  /** Bindings that were written into the launch alone are taken. */
  #settleTables(): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    this.#latest = undefined;
    this.#bindings.forEach((binding, i) => {
      this.#bindings[i] = this.#withTables(i, binding, latest.tables ?? {}, latest.count);
    });
  }

  #withTables(i: number, binding: Binding, tables: BoundTables, count: number): Binding {
    const length = count * (this.#parts.moves[i] as Move).source.sizeBytes;
    return kept({ ...binding, tables, count, first: 0, length });
  }

  #retire(): void {
    this.#others = undefined;
    this.#isPrepared = false;
    if (this.#ready !== undefined && this.#ready.rooms.length > 0) this.#retired.push(this.#ready);
    this.#ready = undefined;
    if (this.#retired.length > MOST_RETIRED) this.#release();
  }

  /** What may still be read goes once its runs are over. */
  #release(): void {
    this.#completions.wait();
    for (const { rooms } of this.#retired) for (const room of rooms) room.release();
    this.#retired = [];
  }

  #ask(i: number, { source, target, length }: Binding): void {
    if (length === 0) return;
    try {
      checkMemory(this.context, "source", i, source.memory);
      checkMemory(this.context, "target", i, target.memory);
    } catch (error) {
      throw asDeviceError(error);
    }
  }
}

const POINTER_BYTES = 8;

/** A binding of its own: the caller's record may be used again. */
const kept = ({ tables, ...binding }: Binding): Binding => ({ ...binding, tables: { ...tables } });

/** Copies of what the device does not reach, each once. */
class Uploads {
  readonly rooms: PlanRoom[] = [];
  readonly #device: DeviceState;
  readonly #known = new Map<Buffer, { readonly originBytes: number; readonly address: number }>();

  constructor(device: DeviceState) {
    this.#device = device;
  }

  copy(bytes: Uint8Array): number {
    const room = this.#device.upload(bytes);
    this.rooms.push(room);
    return room.address;
  }

  /** Nothing was sent that reads them. */
  release(): void {
    for (const room of this.rooms) room.release();
  }

  /** Where so many bytes of a span lie on the device. */
  addressOf(span: Span, lengthBytes: number): number {
    const memory = span.memory as Buffer;
    if (memory.kind !== "host") return originAddress(span);
    const known = this.#known.get(memory);
    if (known?.originBytes === span.originBytes) return known.address;
    const bytes = (memory.bytes as Uint8Array).subarray(span.originBytes, span.originBytes + lengthBytes);
    const address = this.copy(bytes);
    this.#known.set(memory, { originBytes: span.originBytes, address });
    return address;
  }
}

function tablesOn(uploads: Uploads, { tables }: Move, binding: Binding): TableAddresses {
  const addressOf = (side: "source" | "target"): number => {
    const [table, span] = [tables?.[side], binding.tables?.[side]];
    if (table === undefined || span === undefined || binding.length === 0) return 0;
    return uploads.addressOf(span, binding.count * TABLE_ENTRY_BYTES[table.index]);
  };
  const count = binding.tables?.count;
  return {
    source: addressOf("source"),
    target: addressOf("target"),
    count: count === undefined ? 0 : uploads.addressOf(count, COUNT_BYTES),
  };
}

/** The counts that lie in host memory, as they are now; undefined where none does. */
function hostCounts(bindings: readonly Binding[]): string | undefined {
  const held = bindings.flatMap(({ tables }) => (tables?.count?.memory.kind === "host" ? [tables.count] : []));
  return held.length === 0 ? undefined : held.map(countInMemory).join();
}

/** The end of a run, which tells of an entry that led outside its memory, once. */
class FaultCompletion implements Completion {
  readonly completion: Completion;
  readonly #fault: Uint32Array;

  constructor(completion: Completion, fault: Uint8Array) {
    this.completion = completion;
    this.#fault = new Uint32Array(fault.buffer, fault.byteOffset, 2);
  }

  poll(): boolean {
    const isOver = this.completion.poll();
    if (isOver) this.#throwFault();
    return isOver;
  }

  wait(): void {
    this.completion.wait();
    this.#throwFault();
  }

  #throwFault(): void {
    const fault = this.#fault;
    const low = fault[0] as number;
    const high = fault[1] as number;
    if (low === 0 && high === 0) return;
    fault.fill(0);
    throw new DeviceError(
      `entry ${high * 2 ** 32 + low - 1} of a displacement table: expected an element within its memory, got one outside, which was left`,
    );
  }
}
