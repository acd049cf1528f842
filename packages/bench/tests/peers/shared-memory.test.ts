import { describe, expect, test } from "vitest";
import { addressOf } from "../../src/peers/child/address-of.js";
import { privateMemory, sharedMemory } from "../../src/peers/child/shared-memory.js";
import { MemoryFile } from "../../src/peers/parent/memory-file.js";

test("memory of cells starts on a page", () => {
  const sizes = [0, 1, 4095, 70_000];
  for (const [i, memory] of privateMemory(sizes).entries()) {
    expect(memory).toHaveLength(sizes[i] as number);
    expect(addressOf(memory) % 4096).toBe(0);
  }
});

describe.skipIf(process.platform !== "linux")("memory that processes share (Linux only)", () => {
  test("is the same for all who map the file, and starts on a page", () => {
    using file = MemoryFile.create() as MemoryFile;
    const [ours, theirs] = [sharedMemory(file.descriptor), sharedMemory(file.descriptor)];
    const [, written] = ours([5000, 300]) as [Uint8Array, Uint8Array];
    const [, read] = theirs([5000, 300]) as [Uint8Array, Uint8Array];
    written.fill(7);
    expect(read).toEqual(new Uint8Array(300).fill(7));
    expect(addressOf(written)).not.toBe(addressOf(read));
    expect(addressOf(written) % 4096).toBe(0);
  });

  test("grows with the cells, and what was given before stays", () => {
    using file = MemoryFile.create() as MemoryFile;
    const allocate = sharedMemory(file.descriptor);
    const [small] = allocate([100]) as [Uint8Array];
    small.fill(3);
    const [large] = allocate([10_000_000]) as [Uint8Array];
    expect(large).toHaveLength(10_000_000);
    expect([small[99], large[99]]).toEqual([3, 3]);
  });
});
