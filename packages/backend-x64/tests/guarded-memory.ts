import { hostMemory, type Buffer } from "@stowage/backend-api";
import { HOST_MEMORY, type TestMemory } from "@stowage/conformance/laws";
import koffi from "koffi";
import { check, libc } from "../src/memory/libc.js";

const PAGE_BYTES = 4096;
const NONE = 0;
const READ_WRITE = 3;
const PRIVATE_ANONYMOUS = 0x22;

/** Bytes between two pages that may not be touched: a read or write past either end crashes the test. */
export interface GuardedMemory {
  readonly bytes: Uint8Array;
  readonly address: number;
  free(): void;
}

/** `flush`: which end of the bytes touches its guard page exactly. */
export function guardedMemory(sizeBytes: number, flush: "start" | "end"): GuardedMemory {
  const { mmap, mprotect, munmap } = libc();
  const inner = Math.max(1, Math.ceil(sizeBytes / PAGE_BYTES)) * PAGE_BYTES;
  const base = mmap(0, inner + 2 * PAGE_BYTES, NONE, PRIVATE_ANONYMOUS, -1, 0);
  check("mprotect", mprotect(base + PAGE_BYTES, inner, READ_WRITE) !== 0);
  const address = base + PAGE_BYTES + (flush === "end" ? inner - sizeBytes : 0);
  return {
    bytes: sizeBytes === 0 ? new Uint8Array(0) : new Uint8Array(koffi.view(BigInt(address), sizeBytes)),
    address,
    free: () => void munmap(base, inner + 2 * PAGE_BYTES),
  };
}

/** Pages of which only some may be touched; nor may those before the first and behind the last. */
function pagedMemory(isMapped: readonly boolean[]): GuardedMemory {
  const { mmap, mprotect, munmap } = libc();
  const inner = isMapped.length * PAGE_BYTES;
  const base = mmap(0, inner + 2 * PAGE_BYTES, NONE, PRIVATE_ANONYMOUS, -1, 0);
  const address = base + PAGE_BYTES;
  isMapped.forEach((isHeld, i) => {
    if (isHeld) check("mprotect", mprotect(address + i * PAGE_BYTES, PAGE_BYTES, READ_WRITE) !== 0);
  });
  const bytes = new Uint8Array(koffi.view(BigInt(address), inner));
  return { bytes, address, free: () => void munmap(base, inner + 2 * PAGE_BYTES) };
}

/**
 * Memory for the laws: each allocation ends within 16 bytes of a page that may not be touched, and law 3 puts gaps on
 * such pages.
 */
export function guardedTestMemory(): TestMemory {
  const open = new Map<Buffer, GuardedMemory>();
  const held = (memory: GuardedMemory, sizeBytes: number): Buffer => {
    const buffer = hostMemory(memory.bytes.subarray(0, sizeBytes));
    open.set(buffer, memory);
    return buffer;
  };
  return {
    kind: HOST_MEMORY.kind,
    write: HOST_MEMORY.write.bind(HOST_MEMORY),
    read: HOST_MEMORY.read.bind(HOST_MEMORY),
    allocate: (sizeBytes) => held(guardedMemory(Math.ceil(sizeBytes / 16) * 16, "end"), sizeBytes),
    pages: {
      sizeBytes: PAGE_BYTES,
      allocate: (isMapped) => held(pagedMemory(isMapped), isMapped.length * PAGE_BYTES),
    },
    free(buffer) {
      open.get(buffer)?.free();
      open.delete(buffer);
    },
  };
}
