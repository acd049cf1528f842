import type { Completion, Queue, Reduction, Span } from "@stowage/backend-api";
import type { BufferLike, Committed } from "@stowage/selector";
import type { BridgeType } from "../datatype/bridge-type.js";

/** A range of a packed stream, as the engine takes it. */
export interface PackRange {
  readonly count: number;
  readonly first?: number;
  readonly length?: number;
  /** The stream of a device that it runs on. */
  readonly queue?: Queue;
}

/** Packs elements, of the host or of a device, into packed bytes wherever those lie. */
export const pack = (type: BridgeType, source: Span, packed: BufferLike, range: PackRange): Completion =>
  packerOf(type, source, packed, range).pack(source, packed, range);

/** Unpacks them from there; with a reduction, combines them with what is there. */
export const unpack = (
  type: BridgeType,
  packed: BufferLike,
  target: Span,
  range: PackRange & Partial<Reduction>,
): Completion =>
  (range.op === undefined ? packerOf(type, target, packed, range) : type.combining(target.memory.kind)).unpack(
    packed,
    target,
    range,
  );

const packerOf = (type: BridgeType, { memory: { kind } }: Span, packed: BufferLike, { count }: PackRange): Committed =>
  kind === "device" ? type.onDevice(kindOf(packed), count) : type.committed;

function kindOf(packed: BufferLike): "host" | "pinned" | "device" {
  if ("memory" in packed) return kindOf(packed.memory);
  return "kind" in packed && (packed.kind === "pinned" || packed.kind === "device") ? packed.kind : "host";
}
