import { BindingError, directionOf, placeOf, regionAt, scatteredLayout, type Binding, type Buffer, type Move } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { boxesIn, withinRegions, type AddressAt } from "./boxes.js";
import { repeated, sizeOf, type Geometry } from "./geometry.js";
import type { PackDirection, Transfer } from "./shape.js";

/** A move that compiled: which way it goes, and its scattered side. */
export interface StridedMove {
  readonly move: Move;
  readonly direction: PackDirection;
  readonly geometry: Geometry;
}

export const packDirection = (move: Move): PackDirection => (directionOf(move) === "unpack" ? "unpack" : "pack");

/** Addresses and the range of a checked binding: one transfer a region of its scattered side; none where it moves nothing. */
export function transfersOf({ move, direction, geometry }: StridedMove, i: number, binding: Binding): readonly Transfer[] {
  const { count, first, length } = binding;
  if (length === 0) return [];
  const packs = direction === "pack";
  const [scatteredSide, packedSide] = packs ? (["source", "target"] as const) : (["target", "source"] as const);
  const layout = scatteredLayout(move);
  const whole = repeated(geometry, count, layout.extentBytes);
  const packedAddress = addressAt(move[packedSide], packedSide, i, binding)(first).address - first;
  const at = addressAt(layout, scatteredSide, i, binding);
  if (placeOf(layout, binding[scatteredSide], binding) !== undefined) {
    return [{ geometry: whole, scatteredAddress: at(0).address, packedAddress, first, length }];
  }
  const placed = Array.from(boxesIn(whole, first, length)).flatMap((box) => [...withinRegions(at, box)]);
  return placed.map(({ geometry: part, packedBytes, originAddress }) => ({
    geometry: part,
    scatteredAddress: originAddress,
    packedAddress: packedAddress + packedBytes,
    first: 0,
    length: sizeOf(part),
  }));
}

/** The ordinal of the device whose memory a binding names; 0 where it names none. */
export function deviceOf(binding: Binding): number {
  for (const { memory } of [binding.source, binding.target]) {
    const device = "regions" in memory ? memory.regions[0]?.buffer.device : memory.device;
    if (device !== undefined) return device;
  }
  return 0;
}

function addressAt(layout: Layout, side: "source" | "target", i: number, binding: Binding): AddressAt {
  const { memory, originBytes } = binding[side];
  const place = placeOf(layout, binding[side], binding);
  if (place !== undefined) {
    const address = requireAddress(place.buffer, side, i) + place.originBytes;
    return (offsetBytes) => ({ address: address + offsetBytes, leftBytes: Infinity });
  }
  return (offsetBytes) => {
    const region = regionAt(memory, originBytes + offsetBytes);
    if (region === undefined) throw new BindingError(`${side} of move ${i}`, "blocks within regions", `byte ${originBytes + offsetBytes}`);
    const within = originBytes + offsetBytes - region.startBytes;
    return { address: requireAddress(region.buffer, side, i) + within, leftBytes: region.buffer.sizeBytes - within };
  };
}

function requireAddress({ address, kind }: Buffer, side: string, i: number): number {
  if (address !== undefined) return address;
  throw new BindingError(`${side} of move ${i}`, "memory with an address that the device reaches", `${kind} memory without one`);
}
