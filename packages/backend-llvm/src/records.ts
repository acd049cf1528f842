import {
  BindingError,
  bufferOriginOf,
  checkApart,
  HostBuffer,
  isAddressSpace,
  type Binding,
  type Buffer,
  type BufferOrigin,
  type Conditions,
  type Move,
  type Span,
} from "@stowage/backend-api";
import { denseLayout, runs } from "@stowage/ir";
import { hostAddress } from "./memory/host-address.js";
import { koffi } from "./memory/native.js";

/** One call: the address of code and its five arguments. */
export type LaunchRecord = readonly [
  code: number,
  source: number,
  target: number,
  count: number,
  first: number,
  length: number,
];

/** Code that a move may be launched with: its own, and that which copies bytes. */
export interface Codes {
  readonly move: number;
  readonly bytes: number;
}

/** What runs a checked binding: one call, or one for each run where blocks lie in several regions. */
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
  if (source === undefined || target === undefined) return runRecords(i, move, binding, codes);
  const from = originAddress(`source of move ${i}`, source, conditions.sourceAlignment);
  const to = originAddress(`target of move ${i}`, target, conditions.targetAlignment);
  requireApart(i, move, binding);
  return [[codes.move, from, to, count, first, length]];
}

/** The runs of both sides in packed order, each within one region. */
function runRecords(i: number, move: Move, binding: Binding, codes: Codes): readonly LaunchRecord[] {
  const records: LaunchRecord[] = [];
  const [sources, targets] = [runs(move.source, binding), runs(move.target, binding)];
  let [source, target] = [sources.next().value, targets.next().value];
  let [fromUsed, toUsed] = [0, 0];
  while (source !== undefined && target !== undefined) {
    const from = placeOf(`source of move ${i}`, binding.source, source.offsetBytes + fromUsed);
    const to = placeOf(`target of move ${i}`, binding.target, target.offsetBytes + toUsed);
    const length = Math.min(source.lengthBytes - fromUsed, target.lengthBytes - toUsed, from.roomBytes, to.roomBytes);
    records.push([codes.bytes, from.address, to.address, 1, 0, length]);
    fromUsed += length;
    toUsed += length;
    if (fromUsed === source.lengthBytes) [source, fromUsed] = [sources.next().value, 0];
    if (toUsed === target.lengthBytes) [target, toUsed] = [targets.next().value, 0];
  }
  return records;
}

const ONE_BYTE = denseLayout(1);

/** Where a run begins, and how many bytes its buffer has from there. */
function placeOf(
  subject: string,
  span: Span,
  offsetBytes: number,
): { readonly address: number; readonly roomBytes: number } {
  const held = bufferOriginOf(ONE_BYTE, span, { count: 1, first: offsetBytes, length: 1 });
  if (held === undefined) throw new BindingError(subject, "memory under every block", `none at byte ${offsetBytes}`);
  const { buffer, originBytes } = held;
  return {
    address: bufferAddress(subject, buffer) + originBytes + offsetBytes,
    roomBytes: buffer.sizeBytes - originBytes - offsetBytes,
  };
}

/** The address of a datatype's address 0; what was promised of a view is known only here. */
function originAddress(subject: string, { buffer, originBytes }: BufferOrigin, alignment: number): number {
  const address = bufferAddress(subject, buffer) + originBytes;
  if (address % alignment === 0) return address;
  throw new BindingError(subject, `its origin aligned to ${alignment} bytes`, `address ${address}`);
}

function bufferAddress(subject: string, buffer: Buffer): number {
  if (HostBuffer.is(buffer)) return buffer.locate(hostAddress);
  if (buffer.address !== undefined) return buffer.address;
  if (buffer.bytes === undefined) throw new BindingError(subject, "bytes or an address", "neither");
  return Number(koffi().address(buffer.bytes));
}

/** One memory may be known by two objects, such as pinned memory and its view; their addresses tell. */
function requireApart(i: number, move: Move, binding: Binding): void {
  const at = ({ memory, originBytes }: Span, subject: string): Span => {
    if (isAddressSpace(memory)) return { memory, originBytes };
    const { kind, sizeBytes } = memory;
    return { memory: { kind, sizeBytes, address: bufferAddress(subject, memory) }, originBytes };
  };
  const [source, target] = [binding.source, binding.target];
  if (isAddressSpace(source.memory) || isAddressSpace(target.memory)) return;
  checkApart(i, move, {
    ...binding,
    source: at(source, `source of move ${i}`),
    target: at(target, `target of move ${i}`),
  });
}
