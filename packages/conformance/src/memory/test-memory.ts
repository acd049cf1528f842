import { hostMemory, type Buffer, type MemoryKind } from "@stowage/backend-api";
import { HOST_VIEWS } from "./host-views.js";
import type { TestView } from "./test-view.js";

/** Memory of which single pages may not be touched. */
export interface TestPages {
  /** A page; 64 bytes or more, a power of two. */
  readonly sizeBytes: number;
  /**
   * A new allocation of as many pages, of which only some may be touched; nor may what lies before the first and behind
   * the last. Whatever touches another ends the test.
   */
  allocate(isMapped: readonly boolean[]): Buffer;
}

/** One kind of memory that the laws can allocate, fill and look into; a backend on a device brings its own. */
export interface TestMemory {
  readonly kind: MemoryKind;
  /** A new allocation of at least one byte, aligned to 16 bytes or better. */
  allocate(sizeBytes: number): Buffer;
  /** Copies `bytes` into the allocation from byte `offsetBytes`. */
  write(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /**
   * As write, by work in the order of the device's default stream that nothing waits for; `bytes` may change once it
   * returns. Absent where a write is over when it returns.
   */
  enqueue?(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /** A copy of `lengthBytes` bytes of the allocation from byte `offsetBytes`, once all work on it is over. */
  read(buffer: Buffer, offsetBytes: number, lengthBytes: number): Uint8Array;
  /** Other buffers by which callers hold such memory; the laws draw one, or none, for each side. Absent: none. */
  readonly views?: readonly TestView[];
  /** Law 3 puts gaps where nothing may touch them; absent where every byte of an allocation can be touched. */
  readonly pages?: TestPages;
  /** Takes the bytes away while the buffer stays, as a transfer to a worker does; absent where nothing can. */
  detach?(buffer: Buffer): void;
  /** Gives the allocation back; absent where a garbage collector does. */
  free?(buffer: Buffer): void;
}

function bytesOf({ bytes }: Buffer): Uint8Array {
  if (bytes === undefined) throw new TypeError("buffer of host memory: expected bytes, got none");
  return bytes;
}

/** Pageable memory of this process, by every sort of view. */
export const HOST_MEMORY: TestMemory = Object.freeze<TestMemory>({
  kind: "host",
  allocate: (sizeBytes) => hostMemory(new ArrayBuffer(sizeBytes)),
  write: (buffer, offsetBytes, bytes) => bytesOf(buffer).set(bytes, offsetBytes),
  read: (buffer, offsetBytes, lengthBytes) => bytesOf(buffer).slice(offsetBytes, offsetBytes + lengthBytes),
  views: HOST_VIEWS,
  detach: (buffer) => {
    const { buffer: backing } = bytesOf(buffer);
    if (backing instanceof ArrayBuffer) structuredClone(backing, { transfer: [backing] });
  },
});
