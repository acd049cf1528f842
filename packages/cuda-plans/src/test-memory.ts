import type { Buffer } from "@stowage/backend-api";
import { copyBytes, type Context, type StreamHandle } from "@stowage/cuda-driver";
import { LEGACY_STREAM } from "./legacy-stream.js";

/**
 * Memory of a device, simulated or real, as the laws of @stowage/conformance allocate it and look into it (TestMemory).
 */
export interface DeviceTestMemory {
  /** The kind of memory that buffers declare. */
  readonly kind: "device" | "pinned" | "managed";
  /** A new allocation of `sizeBytes` bytes, of one at least. */
  allocate(sizeBytes: number): Buffer;
  /** Copies bytes into the allocation from byte `offsetBytes` on, and waits. */
  write(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /** Does what `write` does, by work on the stream that nothing waits for; `bytes` may change once it returns. */
  enqueue(buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void;
  /** A copy of `lengthBytes` bytes of the allocation from byte `offsetBytes` on, once all work on it is over. */
  read(buffer: Buffer, offsetBytes: number, lengthBytes: number): Uint8Array;
  /** Gives the allocation back. */
  free(buffer: Buffer): void;
}

const MAKERS = { device: "deviceMemory", pinned: "pinnedMemory", managed: "managedMemory" } as const;

/**
 * Makes one kind of memory for the laws. `stream` is where writes are enqueued that nothing waits for; it must be the
 * legacy default stream, as it is where none is given, or a blocking one.
 */
export function testMemory(
  context: Context,
  kind: DeviceTestMemory["kind"],
  stream: StreamHandle = LEGACY_STREAM,
): DeviceTestMemory {
  const { libcuda } = context;
  const held = new Map<Buffer, Disposable>();
  const at = ({ address = 0 }: Buffer, offsetBytes: number): number => address + offsetBytes;
  /** The driver keeps what it needs of pageable bytes before the call returns. */
  const enqueue = (buffer: Buffer, offsetBytes: number, bytes: Uint8Array): void => {
    if (bytes.byteLength === 0) return;
    const own = bytes.slice();
    copyBytes(context, at(buffer, offsetBytes), libcuda.addressOf(own), own.byteLength).run(stream);
  };
  return {
    kind,
    allocate(sizeBytes) {
      const memory = context[MAKERS[kind]](Math.max(1, sizeBytes));
      // The laws spread buffers into changed copies, so this is a plain record.
      const buffer: Buffer = { kind, sizeBytes: memory.sizeBytes, address: memory.address, device: memory.device };
      held.set(buffer, memory);
      return buffer;
    },
    write(buffer, offsetBytes, bytes) {
      context.synchronize();
      enqueue(buffer, offsetBytes, bytes);
      context.synchronize();
    },
    enqueue,
    read(buffer, offsetBytes, lengthBytes) {
      const bytes = new Uint8Array(new ArrayBuffer(lengthBytes));
      context.synchronize();
      if (lengthBytes === 0) return bytes;
      copyBytes(context, libcuda.addressOf(bytes), at(buffer, offsetBytes), lengthBytes).run(stream);
      context.synchronize();
      return bytes;
    },
    free(buffer) {
      held.get(buffer)?.[Symbol.dispose]();
      held.delete(buffer);
    },
  };
}
