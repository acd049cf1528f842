import { hostMemory, type Buffer, type MemoryKind } from "@stowage/backend-api";
import { HOST_VIEWS } from "./host-views.js";
import type { TestView } from "./test-view.js";

/** Memory of which single pages may not be touched. */
export interface TestPages {
  /** The bytes of a page: a power of two, 64 or more. */
  readonly sizeBytes: number;
  /**
   * A new allocation of a page for each entry of `isMapped`. Pages whose entry is false may not be touched, nor may
   * what lies before the first page and behind the last. An access to such memory ends the test.
   */
  allocate(isMapped: readonly boolean[]): Buffer;
}

/** One kind of memory that the laws can allocate, fill and look into; a backend on a device brings its own. */
export interface TestMemory {
  /** The kind of memory that buffers declare. */
  readonly kind: MemoryKind;
  /** A new allocation of at least one byte, aligned to 16 bytes or better. `sizeBytes` may be 0. */
  allocate(sizeBytes: number): Buffer;
  /** Copies `bytes` into the allocation from byte `offsetBytes`. */
  write(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /**
   * Does what `write` does, by work in the order of the device's default stream that nothing waits for; `bytes` may
   * change once it returns. Absent where a write is over when it returns.
   */
  enqueue?(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /** A copy of `lengthBytes` bytes of the allocation from byte `offsetBytes`, once all work on it is over. */
  read(buffer: Buffer, offsetBytes: number, lengthBytes: number): Uint8Array;
  /**
   * Other buffers by which callers hold such memory; the laws draw one, or none, for each side. Absent: there are none.
   */
  readonly views?: readonly TestView[];
  /**
   * Memory with pages that nothing may touch, where law 3 puts gaps. Absent where every byte of an allocation can be
   * touched.
   */
  readonly pages?: TestPages;
  /** Takes the bytes away while the buffer stays, as a transfer to a worker does. Absent where nothing can. */
  detach?(buffer: Buffer): void;
  /** Gives the allocation back. Absent where a garbage collector does. */
  free?(buffer: Buffer): void;
}

function bytesOf({ bytes }: Buffer): Uint8Array {
  if (bytes === undefined) throw new TypeError("buffer of host memory: expected bytes, got none");
  return bytes;
}

/** Pageable memory of this process, held by every sort of view. */
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
