import {
  BindingError,
  checkApart,
  directionOf,
  HostBuffer,
  isAddressSpace,
  packMove,
  bufferOriginOf,
  type Binding,
  type Buffer,
  type Conditions,
  type Move,
  type BufferOrigin,
  type Span,
} from "@stowage/backend-api";
import { denseLayout, runs } from "@stowage/ir";
import { MOST_READ_BEHIND } from "./loops/rules/reads/slack.js";
import { RECORD_NUMBERS } from "./memory/launch-code.js";
import { hostAddress } from "./memory/host-address.js";
import { koffi } from "./memory/native.js";
import type { MoveCode } from "./move-code.js";

/** One call of machine code: its address and its five arguments. */
export type LaunchRecord = readonly [
  code: number,
  source: number,
  target: number,
  count: number,
  first: number,
  length: number,
];

/** Addresses of code that a move may be launched with. */
export interface Codes {
  /** The move's own. */
  readonly move: MoveCode;
  /** A copy of bytes: the dense layout's. */
  readonly copy: MoveCode;
}

/** What runs a checked binding: one call, or one for each stretch that an address space has in the same two buffers. */
export function recordsOf(
  i: number,
  move: Move,
  binding: Binding,
  conditions: Conditions,
  codes: Codes,
): readonly LaunchRecord[] {
  const { count, first, length } = binding;
  if (length === 0) return [];
  const source = bufferOriginOf(move.source, binding.source, binding);
  const target = bufferOriginOf(move.target, binding.target, binding);
  if (source === undefined || target === undefined) return stretchRecords(i, move, binding, conditions, codes);
  const from = addressOf(`source of move ${i}`, source);
  const to = addressOf(`target of move ${i}`, target);
  requireAligned(`source of move ${i}`, from, conditions.sourceAlignment);
  requireAligned(`target of move ${i}`, to, conditions.targetAlignment);
  requireApart(i, move, binding);
  return [[codes.move.addressFor(count, length), from, to, count, first, length]];
}

/** What was promised of a view is known only here, where its address is. */
function requireAligned(subject: string, address: number, alignment: number): void {
  if (address % alignment !== 0)
    throw new BindingError(subject, `its origin aligned to ${alignment} bytes`, `address ${address}`);
}

/**
 * Pairs the runs of both sides in packed order, each side's within one region. Those that follow each other in the same two
 * regions are a range of the move's own code, but for blocks so near a region's end that the code might read behind it.
 */
function stretchRecords(
  i: number,
  move: Move,
  binding: Binding,
  conditions: Conditions,
  codes: Codes,
): readonly LaunchRecord[] {
  const { count } = binding;
  const isCopy = directionOf(move) === "copy";
  const suits = (from: RunPlace, to: RunPlace, length: number): boolean =>
    !isCopy &&
    Math.min(from.roomBytes, to.roomBytes) - length >= MOST_READ_BEHIND &&
    from.origin % conditions.sourceAlignment === 0 &&
    to.origin % conditions.targetAlignment === 0;
  const records: LaunchRecord[] = [];
  const [sources, targets] = [runs(move.source, binding), runs(move.target, binding)];
  let source = sources.next().value;
  let target = targets.next().value;
  let [fromUsed, toUsed, first] = [0, 0, binding.first];
  while (source !== undefined && target !== undefined) {
    const from = runPlace(`source of move ${i}`, binding.source, source.offsetBytes + fromUsed);
    const to = runPlace(`target of move ${i}`, binding.target, target.offsetBytes + toUsed);
    const length = Math.min(source.lengthBytes - fromUsed, target.lengthBytes - toUsed, from.roomBytes, to.roomBytes);
    append(
      records,
      suits(from, to, length)
        ? [codes.move.addressForAny(), from.origin, to.origin, count, first, length]
        : [codes.copy.addressForAny(), from.address, to.address, 1, 0, length],
    );
    first += length;
    fromUsed += length;
    toUsed += length;
    if (fromUsed === source.lengthBytes) [source, fromUsed] = [sources.next().value, 0];
    if (toUsed === target.lengthBytes) [target, toUsed] = [targets.next().value, 0];
  }
  return records;
}

/** A range that goes on where the one before ended, with the same code and origins, is one with it. */
function append(records: LaunchRecord[], next: LaunchRecord): void {
  const last = records.at(-1);
  const [code, source, target, count, first, length] = next;
  const continues = last?.[0] === code && last[1] === source && last[2] === target && last[4] + last[5] === first;
  if (continues) records[records.length - 1] = [code, source, target, count, last[4], last[5] + length];
  else records.push(next);
}

const BYTES = denseLayout(1);

/** What the code of a copy was written for. */
export const BYTE_MOVE: Move = packMove(BYTES);

/** Where a run begins. */
interface RunPlace {
  readonly address: number;
  /** The address that the datatype's address 0 would have in the same buffer. */
  readonly origin: number;
  /** Bytes of the buffer from the run's first on. */
  readonly roomBytes: number;
}

function runPlace(subject: string, span: Span, offsetBytes: number): RunPlace {
  const held = bufferOriginOf(BYTES, span, { count: 1, first: offsetBytes, length: 1 });
  if (held === undefined) throw new BindingError(subject, "memory under every block", `none at byte ${offsetBytes}`);
  const origin = addressOf(subject, held);
  return { address: origin + offsetBytes, origin, roomBytes: held.buffer.sizeBytes - held.originBytes - offsetBytes };
}

/** The address of a datatype's address 0. */
function addressOf(subject: string, { buffer, originBytes }: BufferOrigin): number {
  return bufferAddress(subject, buffer) + originBytes;
}

function bufferAddress(subject: string, buffer: Buffer): number {
  if (HostBuffer.is(buffer)) return buffer.locate(hostAddress);
  if (buffer.address !== undefined) return buffer.address;
  if (buffer.bytes === undefined) throw new BindingError(subject, "bytes or an address", "neither");
  return Number(koffi().address(buffer.bytes));
}

/**
 * One memory may be known by two objects: a SharedArrayBuffer that came by message twice, pinned memory and its view. Their
 * addresses tell.
 */
function requireApart(i: number, move: Move, binding: Binding): void {
  const { source, target } = binding;
  if (isAddressSpace(source.memory) || isAddressSpace(target.memory)) return;
  const at = ({ memory, originBytes }: Span, subject: string): Span => {
    const { kind, sizeBytes } = memory as Buffer;
    return { memory: { kind, sizeBytes, address: bufferAddress(subject, memory as Buffer) }, originBytes };
  };
  checkApart(i, move, {
    ...binding,
    source: at(source, `source of move ${i}`),
    target: at(target, `target of move ${i}`),
  });
}

/** Records as the launching code reads them. */
export function writeRecords(records: readonly LaunchRecord[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(records.length * RECORD_NUMBERS);
  records.forEach((record, i) => numbers.set(record, i * RECORD_NUMBERS));
  return numbers;
}

/** Record i of those that writeRecords wrote. */
export function readRecord(numbers: Float64Array, i: number): LaunchRecord {
  const at = i * RECORD_NUMBERS;
  const [code = 0, source = 0, target = 0, count = 0, first = 0, length = 0] = numbers.subarray(
    at,
    at + RECORD_NUMBERS,
  );
  return [code, source, target, count, first, length];
}
