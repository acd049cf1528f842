import { BindingError, directionOf, placeOf, scatteredLayout, type Binding, type Buffer, type Move, type Span } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { repeated, type Geometry } from "./geometry.js";
import type { PackDirection, Transfer } from "./shape.js";

/** A move that compiled: which way it goes, and its scattered side. */
export interface StridedMove {
  readonly move: Move;
  readonly direction: PackDirection;
  readonly geometry: Geometry;
}

export const packDirection = (move: Move): PackDirection => (directionOf(move) === "unpack" ? "unpack" : "pack");

/** Addresses and the range of a checked binding; undefined where it moves nothing. */
export function transferOf({ move, direction, geometry }: StridedMove, i: number, binding: Binding): Transfer | undefined {
  const { count, first, length } = binding;
  if (length === 0) return undefined;
  const [source, target] = [addressOf(move.source, "source", i, binding), addressOf(move.target, "target", i, binding)];
  const packs = direction === "pack";
  return {
    geometry: repeated(geometry, count, scatteredLayout(move).extentBytes),
    scatteredAddress: packs ? source : target,
    packedAddress: packs ? target : source,
    first,
    length,
  };
}

/** The ordinal of the device whose memory a binding names; 0 where it names none. */
export function deviceOf(binding: Binding): number {
  for (const { memory } of [binding.source, binding.target]) {
    const device = "regions" in memory ? memory.regions[0]?.buffer.device : memory.device;
    if (device !== undefined) return device;
  }
  return 0;
}

function addressOf(layout: Layout, side: "source" | "target", i: number, binding: Binding): number {
  const span: Span = binding[side];
  const place = placeOf(layout, span, binding);
  if (place === undefined) {
    throw new BindingError(`${side} of move ${i}`, "memory of one region, as strided kernels need", "several regions");
  }
  return requireAddress(place.buffer, side, i) + place.originBytes;
}

function requireAddress({ address, kind }: Buffer, side: string, i: number): number {
  if (address !== undefined) return address;
  throw new BindingError(`${side} of move ${i}`, "memory with an address that the device reaches", `${kind} memory without one`);
}
