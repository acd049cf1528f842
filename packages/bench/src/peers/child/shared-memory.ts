import koffi from "koffi";
import { fstatSync, ftruncateSync } from "node:fs";
import { MAP_SHARED, mmap } from "../native/mmap.js";

/** Gives memory for a cell; what it gave before may be the same memory. */
export type Allocate = (sizesBytes: readonly number[]) => readonly Uint8Array[];

const PAGE_BYTES = 4096;
const inPages = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;

/** Memory of this process alone, where there is none that processes share. */
export const privateMemory: Allocate = (sizesBytes) => sizesBytes.map(startingOnPage);

function startingOnPage(sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(new ArrayBuffer(sizeBytes + PAGE_BYTES));
  const over = Number(koffi.address(whole)) % PAGE_BYTES;
  return whole.subarray(PAGE_BYTES - over, PAGE_BYTES - over + sizeBytes);
}

/**
 * Memory that all contenders' processes map from one file, each array on a page of its own. They have the very same
 * pages: where the system put them decides what collides in a cache, and would else be luck that one contender has and
 * another has not.
 */
export function sharedMemory(file: number): Allocate {
  let mapped = new Uint8Array(0);
  return (sizesBytes) => {
    const totalBytes = sizesBytes.reduce((sum, size) => sum + inPages(size), 0);
    // What was mapped before stays so: views of it may live.
    if (totalBytes > mapped.length) mapped = map(file, Math.max(totalBytes, Math.min(2 * mapped.length, MOST_BYTES)));
    let at = 0;
    return sizesBytes.map((size) => {
      const start = at;
      at += inPages(size);
      return mapped.subarray(start, start + size);
    });
  };
}

/** koffi gives no longer view. */
const MOST_BYTES = 4 * 1024 ** 3 - PAGE_BYTES;

function map(file: number, sizeBytes: number): Uint8Array<ArrayBuffer> {
  if (fstatSync(file).size < sizeBytes) ftruncateSync(file, sizeBytes);
  const address = mmap(sizeBytes, MAP_SHARED, `${sizeBytes} bytes of shared memory`, file);
  return new Uint8Array(koffi.view(BigInt(address), sizeBytes));
}
