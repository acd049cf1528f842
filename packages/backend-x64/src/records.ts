import { BindingError, packMove, placeOf, type Binding, type Buffer, type Conditions, type Move, type Place, type Span } from "@stowage/backend-api";
import { denseLayout, runs } from "@stowage/ir";
import koffi from "koffi";
import { RECORD_WORDS } from "./memory/launch-code.js";

/** One call of machine code: its address and its five arguments. */
export type LaunchRecord = readonly [code: number, source: number, target: number, count: number, first: number, length: number];

/** Code that a move may be launched with. */
export interface Codes {
  /** The move's own. */
  readonly move: number;
  /** A copy of bytes: the dense layout's. */
  readonly copy: number;
}

/** What runs a checked binding: one call, or one a run where an address space has its bytes in several buffers. */
export function recordsOf(i: number, move: Move, binding: Binding, conditions: Conditions, codes: Codes): readonly LaunchRecord[] {
  const { count, first, length } = binding;
  if (length === 0) return [];
  const source = placeOf(move.source, binding.source, binding);
  const target = placeOf(move.target, binding.target, binding);
  if (source === undefined || target === undefined) return runRecords(i, move, binding, codes.copy);
  const from = addressOf(`source of move ${i}`, source);
  const to = addressOf(`target of move ${i}`, target);
  requireAligned(`source of move ${i}`, from, conditions.sourceAlignment);
  requireAligned(`target of move ${i}`, to, conditions.targetAlignment);
  return [[codes.move, from, to, count, first, length]];
}

/** What was promised of a view is known only here, where its address is. */
function requireAligned(subject: string, address: number, alignment: number): void {
  if (address % alignment !== 0) throw new BindingError(subject, `its origin aligned to ${alignment} bytes`, `address ${address}`);
}

/** Pairs the runs of both sides in packed order; each side's runs lie within one region. */
function runRecords(i: number, move: Move, binding: Binding, copy: number): readonly LaunchRecord[] {
  const records: LaunchRecord[] = [];
  const [sources, targets] = [runs(move.source, binding), runs(move.target, binding)];
  let source = sources.next().value;
  let target = targets.next().value;
  let [fromUsed, toUsed] = [0, 0];
  while (source !== undefined && target !== undefined) {
    const from = runAddress(`source of move ${i}`, binding.source, source.offsetBytes + fromUsed);
    const to = runAddress(`target of move ${i}`, binding.target, target.offsetBytes + toUsed);
    const length = Math.min(source.lengthBytes - fromUsed, target.lengthBytes - toUsed, from.roomBytes, to.roomBytes);
    records.push([copy, from.address, to.address, 1, 0, length]);
    fromUsed += length;
    toUsed += length;
    if (fromUsed === source.lengthBytes) [source, fromUsed] = [sources.next().value, 0];
    if (toUsed === target.lengthBytes) [target, toUsed] = [targets.next().value, 0];
  }
  return records;
}

const BYTES = denseLayout(1);

/** What the code of a copy was written for. */
export const BYTE_MOVE: Move = packMove(BYTES);

/** The address of the byte at an offset from the span's origin, and how many bytes its buffer has from there. */
function runAddress(subject: string, span: Span, offsetBytes: number): { readonly address: number; readonly roomBytes: number } {
  const place = placeOf(BYTES, span, { count: 1, first: offsetBytes, length: 1 });
  if (place === undefined) throw new BindingError(subject, "memory under every block", `none at byte ${offsetBytes}`);
  const address = addressOf(subject, place) + offsetBytes;
  return { address, roomBytes: place.buffer.sizeBytes - place.originBytes - offsetBytes };
}

/** The address of a datatype's address 0. */
function addressOf(subject: string, { buffer, originBytes }: Place): number {
  return (buffer.address ?? viewAddress(subject, buffer)) + originBytes;
}

function viewAddress(subject: string, { bytes }: Buffer): number {
  if (bytes === undefined) throw new BindingError(subject, "bytes or an address", "neither");
  // koffi takes no address of memory shared between threads of JavaScript.
  if (!(bytes.buffer instanceof ArrayBuffer)) throw new BindingError(subject, "memory that is not shared", "a SharedArrayBuffer");
  return Number(koffi.address(bytes));
}

/** Records as launchCode reads them. */
export function writeRecords(records: readonly LaunchRecord[]): BigInt64Array<ArrayBuffer> {
  const words = new BigInt64Array(Math.max(1, records.length) * RECORD_WORDS);
  for (const [i, record] of records.entries()) {
    for (const [word, value] of record.entries()) words[i * RECORD_WORDS + word] = BigInt(value);
  }
  return words;
}
