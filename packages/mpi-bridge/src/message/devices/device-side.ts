import type { Context } from "@stowage/cuda-driver";
import type { Shown } from "../place/shown.js";
import { Staging, type StagingBuffer } from "../place/staging.js";
import { addressOf } from "../../native/words.js";

/** Bytes of each sort of staging memory that are kept: to page-lock 64 MiB and let go of them takes 87 ms. */
const MOST_KEPT_BYTES = 2 ** 28;
const NOTHING = new Uint8Array(0);
const NO_INTS = new Int32Array(0);

/** One GPU, as far as messages of its memory need it: staging buffers that both it and the MPI reach. */
export class DeviceSide implements Disposable {
  readonly context: Context;
  /** Page-locked, for an MPI that reads the host's memory alone. */
  readonly pinned: Staging;
  /** On the device, for a CUDA-aware MPI, and for what other GPUs read. */
  readonly onDevice: Staging;

  constructor(context: Context) {
    this.context = context;
    this.pinned = new Staging((sizeBytes, home) => this.#pinnedBuffer(sizeBytes, home), MOST_KEPT_BYTES);
    this.onDevice = new Staging((sizeBytes, home) => this.#deviceBuffer(sizeBytes, home), MOST_KEPT_BYTES);
  }

  /** Where a message's packed bytes lie. */
  stagingFor(shown: Shown): Staging {
    return shown === "device" ? this.onDevice : this.pinned;
  }

  /** Returns once what was sent to the legacy default stream, and to blocking streams, is over. */
  settle(): void {
    this.context.foreignStream(0).synchronize();
  }

  [Symbol.dispose](): void {
    this.pinned[Symbol.dispose]();
    this.onDevice[Symbol.dispose]();
  }

  #pinnedBuffer(sizeBytes: number, home: Staging): StagingBuffer {
    const memory = this.context.pinnedMemory(sizeBytes);
    const { bytes } = memory;
    const ints = new Int32Array(bytes.buffer, bytes.byteOffset, sizeBytes / 4);
    return { sizeBytes, bytes, ints, address: addressOf(bytes), memory, home, free: () => memory[Symbol.dispose]() };
  }

  #deviceBuffer(sizeBytes: number, home: Staging): StagingBuffer {
    const memory = this.context.deviceMemory(sizeBytes);
    return {
      sizeBytes,
      bytes: NOTHING,
      ints: NO_INTS,
      address: memory.address,
      memory,
      home,
      free: () => memory[Symbol.dispose](),
    };
  }
}
