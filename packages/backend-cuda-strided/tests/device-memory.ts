import type { Buffer } from "@stowage/backend-api";
import type { TestMemory } from "@stowage/conformance";
import { copyBytes, type Context, type DeviceMemory } from "@stowage/cuda-driver";

/** A device's own memory as the laws allocate and look into it: every look is a copy through pinned memory. */
export function deviceMemory(context: Context): TestMemory {
  const stream = context.stream();
  const owned = new Map<Buffer, DeviceMemory>();
  const move = (bytes: Uint8Array, run: (host: number) => [target: number, source: number], into: boolean): void => {
    if (bytes.length === 0) return;
    using staging = context.pinnedMemory(bytes.length);
    if (!into) staging.bytes.set(bytes);
    context.synchronize();
    const [target, source] = run(staging.address);
    copyBytes(context, target, source, bytes.length).run(stream);
    stream.synchronize();
    if (into) bytes.set(staging.bytes);
  };
  const addressOf = ({ address }: Buffer): number => {
    if (address === undefined) throw new TypeError("device memory: expected an address, got none");
    return address;
  };
  return {
    kind: "device",
    allocate(sizeBytes) {
      const memory = context.deviceMemory(sizeBytes);
      // The laws spread buffers into changed copies, so this is a plain record.
      const buffer = { kind: "device" as const, sizeBytes, address: memory.address, device: memory.device };
      owned.set(buffer, memory);
      return buffer;
    },
    write: (buffer, offsetBytes, bytes) => move(bytes, (host) => [addressOf(buffer) + offsetBytes, host], false),
    read(buffer, offsetBytes, lengthBytes) {
      const bytes = new Uint8Array(lengthBytes);
      move(bytes, (host) => [host, addressOf(buffer) + offsetBytes], true);
      return bytes;
    },
    free(buffer) {
      owned.get(buffer)?.[Symbol.dispose]();
      owned.delete(buffer);
    },
  };
}

/** Pinned memory, likewise. */
export function pinnedMemory(context: Context): TestMemory {
  const owned = new Map<Buffer, Disposable>();
  const bytesOf = ({ bytes }: Buffer): Uint8Array => {
    if (bytes === undefined) throw new TypeError("pinned memory: expected bytes, got none");
    context.synchronize();
    return bytes;
  };
  return {
    kind: "pinned",
    allocate(sizeBytes) {
      const memory = context.pinnedMemory(sizeBytes);
      const { address, device, bytes } = memory;
      const buffer = { kind: "pinned" as const, sizeBytes, address, device, bytes };
      owned.set(buffer, memory);
      return buffer;
    },
    write: (buffer, offsetBytes, bytes) => bytesOf(buffer).set(bytes, offsetBytes),
    read: (buffer, offsetBytes, lengthBytes) => bytesOf(buffer).slice(offsetBytes, offsetBytes + lengthBytes),
    free(buffer) {
      owned.get(buffer)?.[Symbol.dispose]();
      owned.delete(buffer);
    },
  };
}
