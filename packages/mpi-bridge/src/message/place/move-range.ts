import { hostMemory, type Span } from "@stowage/backend-api";
import { pack, unpack } from "./pack.js";
import { isOnHost, type HostPlaced, type Placed } from "./placed.js";
import type { StagingBuffer } from "./staging.js";

/** Packs a range of a message's packed bytes to a place in contiguous memory. */
export function packRange(placed: Placed, first: number, length: number, into: StagingBuffer, atBytes: number): void {
  if (length === 0) return;
  if (isBytes(placed)) return into.bytes.set(bytesOf(placed, first, length), atBytes);
  const { type, buffer, originBytes, count } = placed;
  const source = { memory: buffer, originBytes };
  pack(type, source, spanOf(into, atBytes - first), { count, first, length }).wait();
}

/** Unpacks a range of them from there. */
export function unpackRange(placed: Placed, first: number, length: number, from: StagingBuffer, atBytes: number): void {
  if (length === 0) return;
  if (isBytes(placed)) return bytesOf(placed, first, length).set(from.bytes.subarray(atBytes, atBytes + length));
  const { type, buffer, originBytes, count } = placed;
  const target = { memory: buffer, originBytes };
  unpack(type, spanOf(from, atBytes - first), target, { count, first, length }).wait();
}

/** One run of bytes that the host touches: MPI may too. */
export const isBytes = (placed: Placed): placed is HostPlaced => isOnHost(placed) && placed.type.dense !== undefined;

const bytesOf = ({ buffer, originBytes }: HostPlaced, first: number, length: number): Uint8Array =>
  buffer.bytes.subarray(originBytes + first, originBytes + first + length);

/** A staging buffer whose packed stream begins so many bytes in, or before it. */
export function spanOf({ memory }: StagingBuffer, originBytes: number): Span {
  if ("kind" in memory) return { memory, originBytes };
  return { memory: hostMemory(memory as Uint8Array), originBytes };
}
