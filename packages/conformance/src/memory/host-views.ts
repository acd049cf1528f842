import { hostMemory } from "@stowage/backend-api";
import { Buffer as NodeBuffer } from "node:buffer";
import type { TestView } from "./test-view.js";

/** What lies behind a view in its ArrayBuffer. */
const BEHIND_BYTES = 9;

const array = (sizeBytes: number, offsetBytes: number): ArrayBuffer =>
  new ArrayBuffer(offsetBytes + sizeBytes + BEHIND_BYTES);

/** Bytes of a Node Buffer that shares its ArrayBuffer with others, as most of Node's are. */
function pooled(sizeBytes: number, offsetBytes: number): NodeBuffer {
  const pool = NodeBuffer.allocUnsafe(sizeBytes + 32);
  const skipped = (((offsetBytes - pool.byteOffset) % 16) + 16) % 16;
  return pool.subarray(skipped, skipped + sizeBytes);
}

/** The ways in which JavaScript holds bytes. */
export const HOST_VIEWS: readonly TestView[] = [
  {
    what: "a view of a part of an ArrayBuffer",
    allocate: (size, offset) => hostMemory(new Uint8Array(array(size, offset), offset, size)),
  },
  {
    what: "a view of a part of a SharedArrayBuffer",
    allocate: (size, offset) => hostMemory(new Uint8Array(new SharedArrayBuffer(offset + size), offset, size)),
  },
  { what: "a SharedArrayBuffer", allocate: (size) => hostMemory(new SharedArrayBuffer(size)) },
  { what: "a DataView", allocate: (size, offset) => hostMemory(new DataView(array(size, offset), offset, size)) },
  {
    what: "a DataView of shared memory",
    allocate: (size, offset) => hostMemory(new DataView(new SharedArrayBuffer(offset + size), offset, size)),
  },
  { what: "a Node Buffer of the pool", allocate: (size, offset) => hostMemory(pooled(size, offset)) },
  {
    what: "a Node Buffer over shared memory",
    allocate: (size, offset) => hostMemory(NodeBuffer.from(new SharedArrayBuffer(offset + size), offset, size)),
  },
  {
    what: "a record of a view",
    allocate: (size, offset) => ({
      kind: "host",
      sizeBytes: size,
      bytes: new Uint8Array(array(size, offset), offset, size),
    }),
  },
];
