import type { Buffer } from "@stowage/backend-api";
import type { TestMemory } from "@stowage/conformance";
import { openSimulatedCuda, type Context, type Driver } from "@stowage/cuda-driver";

type Allocated = Buffer & Disposable;

/** Memory of a simulated GPU, as the laws allocate it. */
export function testMemory(context: Context, kind: "device" | "pinned" | "managed"): TestMemory {
  const { libcuda } = context;
  const held = new Map<Buffer, Allocated>();
  const make = { device: "deviceMemory", pinned: "pinnedMemory", managed: "managedMemory" } as const;
  return {
    kind,
    allocate(sizeBytes) {
      const memory = context[make[kind]](Math.max(1, sizeBytes));
      const buffer: Buffer = { kind, sizeBytes: memory.sizeBytes, address: memory.address, device: memory.device };
      held.set(buffer, memory);
      return buffer;
    },
    write(buffer, offsetBytes, bytes) {
      if (bytes.byteLength === 0) return;
      context.synchronize();
      libcuda.cuMemcpyAsync((buffer.address ?? 0) + offsetBytes, libcuda.addressOf(bytes), bytes.byteLength, 0);
      context.synchronize();
    },
    read(buffer, offsetBytes, lengthBytes) {
      const bytes = new Uint8Array(new ArrayBuffer(lengthBytes));
      if (lengthBytes === 0) return bytes;
      libcuda.cuMemcpyAsync(libcuda.addressOf(bytes), (buffer.address ?? 0) + offsetBytes, lengthBytes, 0);
      context.synchronize();
      return bytes;
    },
    free(buffer) {
      held.get(buffer)?.[Symbol.dispose]();
      held.delete(buffer);
    },
  };
}

export const simulatedDriver = (): Driver => openSimulatedCuda();
