import { BindingError, HostBuffer, isAddressSpace, type Buffer, type Memory } from "@stowage/backend-api";
import { koffi } from "./koffi.js";

/**
 * The address of a buffer of one byte or more that is attached. Throws a BindingError where it has neither bytes nor
 * one.
 */
export function bufferAddress(subject: string, buffer: Buffer): number {
  if (HostBuffer.is(buffer)) return buffer.locate(findAddress);
  if (buffer.address !== undefined) return buffer.address;
  if (buffer.bytes === undefined) throw new BindingError(subject, "bytes or an address", "neither");
  return Number(koffi().address(buffer.bytes));
}

/** The address of a buffer of JavaScript's memory. */
export const hostAddress = (buffer: HostBuffer): number => buffer.locate(findAddress);

/** The address of memory that QuickCheck has found to be one buffer that is there. */
export function quickAddress(memory: Memory): number {
  if (HostBuffer.is(memory)) return memory.locate(findAddress);
  return isAddressSpace(memory) ? 0 : (memory.address ?? 0);
}

/** Where ArrayBuffers and SharedArrayBuffers begin: their bytes do not move, and an entry goes with its buffer. */
const bases = new WeakMap<ArrayBufferLike, number>();

/** koffi takes a view of shared memory as any other, where it refuses the SharedArrayBuffer itself. */
function findAddress({ store, startBytes, bytes }: HostBuffer): number {
  let base = bases.get(store);
  if (base === undefined) {
    base = Number(koffi().address(bytes)) - startBytes;
    bases.set(store, base);
  }
  return base + startBytes;
}
