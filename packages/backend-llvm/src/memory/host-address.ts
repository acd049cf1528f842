import type { HostBuffer } from "@stowage/backend-api";
import { koffi } from "./native.js";

/** Where ArrayBuffers and SharedArrayBuffers begin: their bytes do not move, and an entry goes with its buffer. */
const bases = new WeakMap<ArrayBufferLike, number>();

/**
 * The address of memory of one byte or more that is attached. koffi takes a view of shared memory as any other, where it
 * refuses the SharedArrayBuffer itself.
 */
export function hostAddress({ store, startBytes, bytes }: HostBuffer): number {
  let base = bases.get(store);
  if (base === undefined) {
    base = Number(koffi().address(bytes)) - startBytes;
    bases.set(store, base);
  }
  return base + startBytes;
}
