import type { Buffer } from "@stowage/backend-api";
import { HOST_MEMORY, type TestMemory } from "../../src/laws-alone.js";

/** A page of the least size: a read past a 64-byte line that holds a byte of the type map is a fault. */
const PAGE_BYTES = 64;

/** Bytes of which single indices may not be read or written, as if their page were not mapped. */
function watched(bytes: Uint8Array, isMapped: readonly boolean[]): Uint8Array {
  const check = (key: string | symbol): void => {
    if (typeof key !== "string" || !/^\d+$/.test(key)) return;
    if (isMapped[Math.floor(Number(key) / PAGE_BYTES)] !== true) throw new RangeError(`page fault at byte ${key}`);
  };
  return new Proxy(bytes, {
    get(target, key) {
      check(key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
    set(target, key, value) {
      check(key);
      return Reflect.set(target, key, value, target);
    },
  });
}

/** Memory of this process with pages of 64 bytes: what a backend in JavaScript reads and writes by index is watched. */
export function watchedMemory(): TestMemory {
  return {
    ...HOST_MEMORY,
    pages: {
      sizeBytes: PAGE_BYTES,
      allocate(isMapped): Buffer {
        const bytes = watched(new Uint8Array(isMapped.length * PAGE_BYTES), isMapped);
        return { kind: "host", sizeBytes: bytes.length, bytes };
      },
    },
  };
}
