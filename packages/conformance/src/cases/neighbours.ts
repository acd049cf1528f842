import type { Binding, Buffer, Move, Span } from "@stowage/backend-api";
import * as fc from "fast-check";
import { packedFrom, unpackInto } from "../memory/move-bytes.js";
import { patternBytes } from "../memory/pattern.js";
import type { TestMemory } from "../memory/test-memory.js";
import { entriesIn, type Range } from "../reference/byte-map.js";
import type { LawSettings, MoveDirection } from "../settings.js";
import { rangeOf } from "./copying.js";
import { moveOf } from "./kernel-for.js";
import { anyRearrangement, rearranged, type Rearrangement } from "./rearranged.js";
import type { Resources } from "./resources.js";
import { reachOfSide } from "./side.js";
import { denseSubject, type Subject } from "./subject.js";
import { anyTrial, type Trial } from "./trial.js";

/** A move whose two sides lie in one allocation. */
export interface Neighbouring {
  readonly trial: Trial;
  readonly direction: MoveDirection;
  readonly rearrangement: Rearrangement;
  /** Bytes left out at the beginning and at the end of the packed stream. */
  readonly left: readonly [number, number];
  /** Where along the source the target begins: from before it to behind it. */
  readonly shift: number;
  /** Whether each side is bound to a view of its own bytes, or both to the whole allocation. */
  readonly isViewed: boolean;
}

export const anyNeighbouring = (settings: LawSettings, direction: MoveDirection): fc.Arbitrary<Neighbouring> =>
  fc.record({
    direction: fc.constant(direction),
    rearrangement: anyRearrangement,
    left: fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 1000 }))),
    shift: fc.nat({ max: 100_000 }),
    isViewed: fc.boolean(),
    trial: anyTrial(settings, { disjoint: direction === "unpack", sparse: false }),
  });

/** One side, and where in the allocation its datatype's address 0 and its reach lie. */
interface PlacedSide {
  readonly subject: Subject;
  readonly originBytes: number;
  readonly startBytes: number;
  readonly lengthBytes: number;
}

/** The move of a case, bound, and what the reference says of it. */
export interface Neighbours {
  readonly move: Move;
  readonly binding: Binding;
  /** Whether some byte is both read and written. */
  readonly isShared: boolean;
  /** The first byte that is not as it must be, before the move or after it. */
  readonly problem: (isMoved: boolean) => string | undefined;
}

export function neighboursOf(memory: TestMemory, resources: Resources, neighbouring: Neighbouring): Neighbours {
  const { trial, direction, isViewed } = neighbouring;
  const range = rangeOf(neighbouring);
  const { source, target, sizeBytes } = placedSides(neighbouring, range);
  const buffer = memory.allocate(sizeBytes);
  resources.hold({ [Symbol.dispose]: () => memory.free?.(buffer) });
  const before = patternBytes(trial.pattern, 0, sizeBytes);
  memory.write(buffer, 0, before);
  const after = movedIn(before, source, target, range);
  const { layout } = target.subject;
  return {
    move: direction === "copy" ? { source: trial.subject.layout, target: layout } : moveOf(trial.subject, direction),
    binding: { source: spanOf(buffer, source, isViewed), target: spanOf(buffer, target, isViewed), ...range },
    isShared: shareBytes(source, target, range, sizeBytes),
    problem: (isMoved) => differenceOf(memory.read(buffer, 0, sizeBytes), isMoved ? after : before),
  };
}

function subjectsOf({ trial: { subject }, direction, rearrangement }: Neighbouring): readonly [Subject, Subject] {
  const { sizeBytes } = subject.map;
  switch (direction) {
    case "pack":
      return [subject, denseSubject(sizeBytes)];
    case "unpack":
      return [denseSubject(sizeBytes), subject];
    case "copy":
      return [subject, rearranged(sizeBytes, rearrangement)];
  }
}

/** Bytes between the sides where they are as far apart as they get. */
const ROOM_BYTES = 4;

function placedSides(neighbouring: Neighbouring, range: Range) {
  const [source, target] = subjectsOf(neighbouring);
  const [from, to] = [reachOfSide(source, range), reachOfSide(target, range)];
  const [fromBytes, toBytes] = [from.high - from.low, to.high - to.low];
  const along = (neighbouring.shift % (fromBytes + toBytes + 2 * ROOM_BYTES + 1)) - toBytes - ROOM_BYTES;
  const startBytes = Math.max(0, -along);
  const placed = (subject: Subject, at: number, low: number, lengthBytes: number): PlacedSide => {
    return { subject, startBytes: at, originBytes: at - low, lengthBytes };
  };
  return {
    source: placed(source, startBytes, from.low, fromBytes),
    target: placed(target, startBytes + along, to.low, toBytes),
    sizeBytes: Math.max(1, startBytes + Math.max(fromBytes, along + toBytes)),
  };
}

function spanOf(buffer: Buffer, { originBytes, startBytes, lengthBytes }: PlacedSide, isViewed: boolean): Span {
  if (!isViewed) return { memory: buffer, originBytes };
  const { bytes, address, ...others } = buffer;
  const view = {
    ...others,
    sizeBytes: lengthBytes,
    ...(bytes === undefined ? {} : { bytes: bytes.subarray(startBytes, startBytes + lengthBytes) }),
    ...(address === undefined ? {} : { address: address + startBytes }),
  };
  return { memory: view, originBytes: originBytes - startBytes };
}

/** What the reference makes of the allocation, all bytes read before the first is written. */
function movedIn(before: Uint8Array, source: PlacedSide, target: PlacedSide, range: Range): Uint8Array {
  const after = before.slice();
  const packed = packedFrom([{ startBytes: -source.originBytes, bytes: before }], source.subject.map, range);
  unpackInto([{ startBytes: -target.originBytes, bytes: after }], target.subject.map, range, packed);
  return after;
}

function shareBytes(source: PlacedSide, target: PlacedSide, range: Range, sizeBytes: number): boolean {
  const isRead = new Uint8Array(sizeBytes);
  for (const { offsetBytes, lengthBytes } of entriesIn(source.subject.map, range)) {
    isRead.fill(1, source.originBytes + offsetBytes, source.originBytes + offsetBytes + lengthBytes);
  }
  for (const { offsetBytes, lengthBytes } of entriesIn(target.subject.map, range)) {
    const at = target.originBytes + offsetBytes;
    if (isRead.subarray(at, at + lengthBytes).includes(1)) return true;
  }
  return false;
}

function differenceOf(found: Uint8Array, expected: Uint8Array): string | undefined {
  const at = expected.findIndex((byte, i) => byte !== found[i]);
  return at < 0 ? undefined : `byte ${at} of both sides' memory: expected ${expected[at]}, got ${found[at]}`;
}
