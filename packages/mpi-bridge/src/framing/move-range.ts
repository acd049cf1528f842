import { hostMemory } from "@stowage/backend-api";
import type { Placed } from "../buffer/placed.js";

/** Packs a range of a message's packed bytes to a place in contiguous memory. */
export function packRange(placed: Placed, first: number, length: number, into: Uint8Array, atBytes: number): void {
  if (length === 0) return;
  const { type, buffer, originBytes, count } = placed;
  if (type.direct !== undefined) return into.set(bytesOf(placed, first, length), atBytes);
  const target = { memory: hostMemory(into), originBytes: atBytes - first };
  type.committed.pack({ memory: buffer, originBytes }, target, { count, first, length }).wait();
}

/** Unpacks a range of them from there. */
export function unpackRange(placed: Placed, first: number, length: number, from: Uint8Array, atBytes: number): void {
  if (length === 0) return;
  const { type, buffer, originBytes, count } = placed;
  if (type.direct !== undefined) return bytesOf(placed, first, length).set(from.subarray(atBytes, atBytes + length));
  const source = { memory: hostMemory(from), originBytes: atBytes - first };
  type.committed.unpack(source, { memory: buffer, originBytes }, { count, first, length }).wait();
}

const bytesOf = ({ buffer, originBytes }: Placed, first: number, length: number): Uint8Array =>
  buffer.bytes.subarray(originBytes + first, originBytes + first + length);
