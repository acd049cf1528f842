import type { Span } from "@stowage/backend-api";
import type { Accumulation } from "@stowage/mpi-abi";
import { pack, unpack } from "../message/place/pack.js";
import { isOnHost, type Placed } from "../message/place/placed.js";
import type { StagingBuffer } from "../message/place/staging.js";
import type { Communicator } from "../communicator/communicator.js";
import type { DeviceSide } from "../message/devices/device-side.js";
import { lineOf } from "../message/line-of.js";
import { TOLD_BYTES, tellMemory, toldMemory } from "../carriers/ipc/told-memory.js";
import { BridgeError } from "../errors.js";
import { handleList } from "../native/words.js";
import type { Context } from "../message/context.js";
import { combineLocally } from "./combine-locally.js";
import { awaitLock, EXPOSED } from "./held-lock.js";
import type { CheckedTarget } from "./target.js";

/**
 * Windows in the memory of GPUs, as other ranks of their host reach them under a lock, of which the owner knows
 * nothing: opened by their handles (CUDA IPC), and read and written by kernels of the origin's GPU. An operation is
 * over when its call returns.
 */
export class RemoteWindows {
  readonly #context: Context;
  readonly #rank: number;
  readonly #own: Placed;
  readonly #told: Uint8Array;
  readonly #opened = new Map<number, { readonly span: Span } & Disposable>();
  /** A window of its own, whose locks keep accumulates to one rank's memory apart. */
  readonly #guard: ReturnType<typeof handleList>;

  /** All ranks call it. */
  constructor(context: Context, comm: Communicator, own: Placed) {
    const { native } = context;
    this.#context = context;
    this.#rank = comm.rank;
    this.#own = own;
    this.#told = new Uint8Array(TOLD_BYTES * comm.size);
    const told = isOnHost(own) ? new Uint8Array(TOLD_BYTES) : tellMemory(context, own.buffer, own.originBytes);
    comm.allgather(told, this.#told);
    this.#guard = handleList(native.mpi, 0);
    native.call("MPI_Win_create", EXPOSED.address, 1, 1, native.constants.infoNull, comm.handle, this.#guard.address);
  }

  put(origin: Placed, target: CheckedTarget): void {
    this.#through(origin, (staging) => {
      pack(origin.type, spanOf(origin), nearOf(origin, staging), { count: origin.count }).wait();
      unpack(target.type, staging.memory, this.#spanOf(target), { count: target.count }).wait();
    });
  }

  get(origin: Placed, target: CheckedTarget): void {
    this.#through(origin, (staging) => {
      pack(target.type, this.#spanOf(target), staging.memory, { count: target.count }).wait();
      unpack(origin.type, nearOf(origin, staging), spanOf(origin), { count: origin.count }).wait();
    });
  }

  accumulate(origin: Placed, target: CheckedTarget, op: Accumulation): void {
    const packed = new Uint8Array(origin.sizeBytes);
    pack(origin.type, spanOf(origin), packed, { count: origin.count }).wait();
    const span = this.#spanOf(target);
    const { native } = this.#context;
    native.call("MPI_Win_lock", native.constants.locks.exclusive, target.rank, 0, this.#guard.get(0));
    try {
      awaitLock(this.#context, target.rank, this.#guard.get(0));
      const combined = combineLocally(this.#context, { op, count: target.count }, target.type, span, packed);
      if (op !== "no_op") unpack(target.type, combined, span, { count: target.count }).wait();
    } finally {
      native.call("MPI_Win_unlock", target.rank, this.#guard.get(0));
    }
  }

  /** All ranks call it. */
  free(): void {
    for (const each of this.#opened.values()) each[Symbol.dispose]();
    this.#context.native.call("MPI_Win_free", this.#guard.address);
  }

  /** Packed bytes on the GPU; those that come from the host or go there where both reach them. */
  #through(origin: Placed, move: (staging: StagingBuffer) => void): void {
    if (origin.sizeBytes === 0) return;
    const { onDevice, pinned } = origin.device ?? this.#side;
    const staging = (isOnHost(origin) ? pinned : onDevice).take(origin.sizeBytes);
    try {
      move(staging);
    } finally {
      staging.home.give(staging);
    }
  }

  #spanOf({ rank, atBytes }: CheckedTarget): Span {
    if (rank === this.#rank) return { memory: this.#own.buffer, originBytes: this.#own.originBytes + atBytes };
    const { memory, originBytes } = this.#openedOf(rank).span;
    return { memory, originBytes: originBytes + atBytes };
  }

  #openedOf(rank: number): { readonly span: Span } & Disposable {
    const known = this.#opened.get(rank);
    if (known !== undefined) return known;
    try {
      const offer = toldMemory("window", this.#told, rank);
      const held = this.#context.devices.opened.hold(offer, this.#side.context);
      const dispose = (): void => held[Symbol.dispose]();
      const opened = { span: { memory: held.memory, originBytes: offer.originBytes }, [Symbol.dispose]: dispose };
      this.#opened.set(rank, opened);
      return opened;
    } catch (cause) {
      const expected = "fences, or a window that this rank's GPU reaches (CUDA IPC)";
      throw new BridgeError(`operation on rank ${rank} under a lock`, expected, lineOf(cause), { cause });
    }
  }

  /** The GPU of this rank: that of its window, or its first. */
  get #side(): DeviceSide {
    return this.#own.device ?? this.#context.devices.on(0);
  }
}

const spanOf = ({ buffer, originBytes }: Placed): Span => ({ memory: buffer, originBytes });

/** Staging as the origin's side sees it. */
const nearOf = (origin: Placed, { bytes, memory }: StagingBuffer) => (isOnHost(origin) ? bytes : memory);
