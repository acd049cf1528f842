import {
  BindingError,
  bufferOriginOf,
  checkApart,
  directionOf,
  elementPlaces,
  isAddressSpace,
  packMove,
  type Binding,
  type Buffer,
  type Conditions,
  type Move,
  type Span,
} from "@stowage/backend-api";
import { denseLayout, runs } from "@stowage/ir";
import { bufferAddress } from "./host-address.js";
import type { MoveCode } from "./move-code.js";
import type { Launch } from "./sharing.js";

/** No code reads more bytes behind a block: those of a 64-byte line that holds one of it (the laws of backends). */
const MOST_READ_BEHIND = 64;

/** Addresses of code that a move may be launched with. */
export interface Codes {
  /** The code of the move itself. */
  readonly move: MoveCode;
  /** The code of a single run of the move: most often a copy of bytes. */
  readonly run: MoveCode;
}

/**
 * The calls of machine code that run binding i, which has been checked. There is one; or, where a side's memory is an
 * address space of several buffers, one for each stretch of packed bytes within one source buffer and one target
 * buffer. Throws a BindingError for memory without an address, a wrong alignment, and sides that share bytes.
 */
export function launchesOf(
  i: number,
  move: Move,
  binding: Binding,
  conditions: Conditions,
  codes: Codes,
): readonly Launch[] {
  const { count, first, length } = binding;
  if (length === 0) return [];
  if (move.tables !== undefined) return placedLaunches(i, move, binding, conditions, codes).map(({ launch }) => launch);
  const source = bufferOriginOf(move.source, binding.source, binding);
  const target = bufferOriginOf(move.target, binding.target, binding);
  if (source === undefined || target === undefined) return stretches(i, move, binding, conditions, codes);
  const from = bufferAddress(`source of move ${i}`, source.buffer) + source.originBytes;
  const to = bufferAddress(`target of move ${i}`, target.buffer) + target.originBytes;
  requireAligned(`source of move ${i}`, from, conditions.sourceAlignment);
  requireAligned(`target of move ${i}`, to, conditions.targetAlignment);
  requireApart(i, move, binding);
  return [{ record: [codes.move.addressFor(count, length), from, to, count, first, length], move }];
}

/** A call that moves one element, or the part of it that a range has. */
export interface PlacedLaunch {
  readonly launch: Launch;
  readonly element: number;
}

/** A call for each element that tables place, in order; none for those that are skipped. */
export function placedLaunches(
  i: number,
  move: Move,
  binding: Binding,
  conditions: Conditions,
  codes: Codes,
): readonly PlacedLaunch[] {
  const { first, length, source, target } = binding;
  const { firstElement, elements, ...places } = elementPlaces(i, move, binding);
  const { sizeBytes } = move.source;
  const from = bufferAddress(`source of move ${i}`, source.memory as Buffer) + source.originBytes;
  const to = bufferAddress(`target of move ${i}`, target.memory as Buffer) + target.originBytes;
  requireAligned(`source of move ${i}`, from, conditions.sourceAlignment);
  requireAligned(`target of move ${i}`, to, conditions.targetAlignment);
  const launches: PlacedLaunch[] = [];
  for (let k = 0; k < elements; k++) {
    const [read, written] = [places.source?.[k], places.target?.[k]];
    if (Number.isNaN(read) || Number.isNaN(written)) continue;
    const element = firstElement + k;
    const begin = Math.max(first - element * sizeBytes, 0);
    const bytes = Math.min(first + length - element * sizeBytes, sizeBytes) - begin;
    const code = begin === 0 ? codes.move.addressFor(1, bytes) : codes.move.addressForAny();
    const fromElement = from + (read ?? element * move.source.extentBytes);
    const toElement = to + (written ?? element * move.target.extentBytes);
    launches.push({ launch: { record: [code, fromElement, toElement, 1, begin, bytes], move }, element });
  }
  return launches;
}

/** What was promised of a view is known only here, where its address is. */
function requireAligned(subject: string, address: number, alignment: number): void {
  if (address % alignment !== 0)
    throw new BindingError(subject, `its origin aligned to ${alignment} bytes`, `address ${address}`);
}

/**
 * Pairs the runs of both sides in packed order, each side's within one region. Those that follow each other in the same
 * two regions are a range of the move's own code, but for blocks so near a region's end that the code might read behind
 * it.
 */
function stretches(i: number, move: Move, binding: Binding, conditions: Conditions, codes: Codes): readonly Launch[] {
  const { count } = binding;
  const isCopy = directionOf(move) === "copy";
  const suits = (from: RunPlace, to: RunPlace, length: number): boolean =>
    !isCopy &&
    Math.min(from.roomBytes, to.roomBytes) - length >= MOST_READ_BEHIND &&
    from.origin % conditions.sourceAlignment === 0 &&
    to.origin % conditions.targetAlignment === 0;
  const launches: Launch[] = [];
  const [sources, targets] = [runs(move.source, binding), runs(move.target, binding)];
  let source = sources.next().value;
  let target = targets.next().value;
  let [fromUsed, toUsed, first] = [0, 0, binding.first];
  while (source !== undefined && target !== undefined) {
    const from = runPlace(`source of move ${i}`, binding.source, source.offsetBytes + fromUsed);
    const to = runPlace(`target of move ${i}`, binding.target, target.offsetBytes + toUsed);
    const length = Math.min(source.lengthBytes - fromUsed, target.lengthBytes - toUsed, from.roomBytes, to.roomBytes);
    append(
      launches,
      suits(from, to, length)
        ? { record: [codes.move.addressForAny(), from.origin, to.origin, count, first, length], move }
        : { record: [codes.run.addressForAny(), from.address, to.address, 1, 0, length], move: BYTE_MOVE },
    );
    first += length;
    fromUsed += length;
    toUsed += length;
    if (fromUsed === source.lengthBytes) [source, fromUsed] = [sources.next().value, 0];
    if (toUsed === target.lengthBytes) [target, toUsed] = [targets.next().value, 0];
  }
  return launches;
}

/** A range that goes on where the one before ended, with the same code and origins, is one with it. */
function append(launches: Launch[], next: Launch): void {
  const last = launches.at(-1)?.record;
  const [code, source, target, count, first, length] = next.record;
  const continues = last?.[0] === code && last[1] === source && last[2] === target && last[4] + last[5] === first;
  if (!continues) launches.push(next);
  else launches[launches.length - 1] = { ...next, record: [code, source, target, count, last[4], last[5] + length] };
}

const BYTES = denseLayout(1);

/** What the code of a single run was written for. */
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
  const { buffer, originBytes } = held;
  const origin = bufferAddress(subject, buffer) + originBytes;
  return { address: origin + offsetBytes, origin, roomBytes: buffer.sizeBytes - originBytes - offsetBytes };
}

/**
 * One memory may be known by two objects: a SharedArrayBuffer that came by message twice, pinned memory and its view.
 * Their addresses tell.
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
