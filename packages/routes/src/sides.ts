import {
  bufferOriginOf,
  unsupported,
  type Binding,
  type Buffer,
  type Conditions,
  type MemoryKind,
  type Move,
  type Span,
  type Support,
} from "@stowage/backend-api";
import { isDenseLayout } from "@stowage/ir";

export type Side = "source" | "target";

/** Where the packed streams lie, and that is on the host; the device has the other side. */
export const hostSideOf = ({ targetKind }: Conditions): Side => (isOnHost(targetKind) ? "target" : "source");

export const otherSide = (side: Side): Side => (side === "source" ? "target" : "source");

export const kindOn = ({ sourceKind, targetKind }: Conditions, side: Side): MemoryKind =>
  side === "source" ? sourceKind : targetKind;

/** Whether one side of every move is a packed stream. */
export const areDense = (moves: readonly Move[], side: Side): boolean =>
  moves.every((move) => isDenseLayout(move[side]));

export const isOnHost = (kind: MemoryKind): kind is "host" | "pinned" => kind === "host" || kind === "pinned";

export const isOnDevice = (kind: MemoryKind): boolean => kind === "device" || kind === "managed";

/** The first question, for an engine asks every route about every datatype of the host too. */
export const areOfHost = (conditions: Conditions): boolean =>
  conditions?.sourceKind === "host" && conditions.targetKind === "host";

export const BETWEEN_HOSTS: Support = unsupported("a route has one side on a device, not host memory");

/** Conditions of the same moves with their packed streams in memory of another kind, of which nothing else is known. */
export const packedIn = (conditions: Conditions, side: Side, kind: MemoryKind): Conditions =>
  Object.freeze(
    side === "source"
      ? { ...conditions, sourceKind: kind, sourceAlignment: 1 }
      : { ...conditions, targetKind: kind, targetAlignment: 1 },
  );

/** The buffer that a packed range lies in, and where in it byte 0 of the whole stream would. The range moves bytes. */
export function packedBuffer(
  move: Move,
  side: Side,
  binding: Binding,
): { readonly buffer: Buffer; readonly originBytes: number } {
  const held = bufferOriginOf(move[side], binding[side], binding);
  if (held === undefined) throw new TypeError(`${side} of a move: expected one buffer around its range, got none`);
  return held;
}

/** A binding whose packed side lies elsewhere, for a part of its range. */
export function restaged(
  binding: Binding,
  side: Side,
  packed: Span,
  { first, length }: { readonly first: number; readonly length: number },
): Binding {
  const { source, target, count } = binding;
  return side === "source"
    ? { source: packed, target, count, first, length }
    : { source, target: packed, count, first, length };
}
