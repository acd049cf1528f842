import type { DriverMemory } from "@stowage/cuda-driver";
import { lower, type Layout } from "@stowage/ir";
import { forEachBlock, liesInOrder } from "../cell/blocks.js";
import { expectedScatter, requireSameBytes, type Cell } from "../cell/cell.js";
import { PIECE_BYTES, type Gpu } from "./gpu.js";
import type { PackedKind } from "./routes.js";

/** What no byte that must be moved holds on its own, and no other byte may lose. */
const CANARY = 0x5a;

/** Memory that one contender writes, checked byte for byte on the host. */
export interface Output extends Disposable {
  /** The memory to write. */
  readonly memory: DriverMemory;
  /**
   * Throws a WrongBytesError where a byte is not as it must be. Then it fills the memory with canaries, for the next
   * run to write.
   */
  check(contender: string): void;
}

/**
 * Allocates the output of a pack, on the device or in pinned host memory. Throws a DriverError where there is too
 * little.
 */
export function packedOutput(gpu: Gpu, cell: Cell, kind: PackedKind): Output {
  const { context } = gpu;
  const memory = kind === "device" ? context.deviceMemory(cell.packedBytes) : context.pinnedMemory(cell.packedBytes);
  return output(gpu, memory, (contender) => checkImage(gpu, cell, contender, memory, cell.packed));
}

/**
 * Allocates the output of an unpack on the device. Every byte between the elements' blocks must stay a canary. Throws a
 * DriverError where there is too little memory.
 */
export function scatteredOutput(gpu: Gpu, cell: Cell): Output {
  const memory = gpu.context.deviceMemory(cell.pattern.sizeBytes);
  const layout = lower(cell.datatype);
  const inOrder = liesInOrder(layout, cell.count);
  let image: Uint8Array | undefined;
  return output(gpu, memory, (contender) => {
    if (inOrder) checkInOrder(gpu, cell, layout, contender, memory);
    else checkImage(gpu, cell, contender, memory, (image ??= expectedScatter(cell, CANARY)));
  });
}

function output(gpu: Gpu, memory: DriverMemory, check: (contender: string) => void): Output {
  gpu.fill(memory, CANARY);
  return {
    memory,
    check(contender) {
      check(contender);
      gpu.fill(memory, CANARY);
    },
    [Symbol.dispose]: () => memory[Symbol.dispose](),
  };
}

function checkImage(gpu: Gpu, cell: Cell, contender: string, memory: DriverMemory, expected: Uint8Array): void {
  for (let start = 0; start < expected.length; start += PIECE_BYTES) {
    const piece = expected.subarray(start, start + PIECE_BYTES);
    requireSameBytes(cell, contender, piece, gpu.read(memory, start, piece.length), start);
  }
}

/** The image of elements in order is made piece by piece: 64 MiB of 8-byte blocks may lie in gigabytes. */
function checkInOrder(gpu: Gpu, cell: Cell, layout: Layout, contender: string, memory: DriverMemory): void {
  const { pattern, originBytes } = cell;
  const piece = new Uint8Array(PIECE_BYTES).fill(CANARY);
  let start = 0;
  const checkPiece = (): void => {
    const expected = piece.subarray(0, pattern.sizeBytes - start);
    requireSameBytes(cell, contender, expected, gpu.read(memory, start, expected.length), start);
    piece.fill(CANARY);
    start += PIECE_BYTES;
  };
  forEachBlock(layout, cell.count, (offsetBytes, lengthBytes) => {
    const end = originBytes + offsetBytes + lengthBytes;
    for (let at = originBytes + offsetBytes; at < end;) {
      while (at >= start + PIECE_BYTES) checkPiece();
      const part = Math.min(end, start + PIECE_BYTES) - at;
      pattern.copyTo(piece, at - start, at, part);
      at += part;
    }
  });
  while (start < pattern.sizeBytes) checkPiece();
}
