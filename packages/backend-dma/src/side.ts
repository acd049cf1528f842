import { BindingError, placeOf, regionAt, type Binding, type Buffer, type Conditions } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";

/** One side of a bound move, as copies see it. */
export interface Side {
  /** The address of an offset from the datatype's address 0, and how many bytes from there on lie in the same region. */
  at(offsetBytes: number): { readonly address: number; readonly leftBytes: number };
  readonly host: boolean;
}

/** The binding has been checked: what moves lies within regions. */
export function sideOf(layout: Layout, name: "source" | "target", i: number, binding: Binding, conditions: Conditions): Side {
  const kind = name === "source" ? conditions.sourceKind : conditions.targetKind;
  const host = kind === "pinned";
  const { memory, originBytes } = binding[name];
  const place = placeOf(layout, binding[name], binding);
  if (place !== undefined) {
    const address = requireAddress(place.buffer, name, i) + place.originBytes;
    return { host, at: (offsetBytes) => ({ address: address + offsetBytes, leftBytes: Infinity }) };
  }
  return {
    host,
    at(offsetBytes) {
      const region = regionAt(memory, originBytes + offsetBytes);
      if (region === undefined) throw new BindingError(`${name} of move ${i}`, "blocks within regions", `byte ${originBytes + offsetBytes}`);
      const within = originBytes + offsetBytes - region.startBytes;
      return { address: requireAddress(region.buffer, name, i) + within, leftBytes: region.buffer.sizeBytes - within };
    },
  };
}

function requireAddress({ address, kind }: Buffer, side: string, i: number): number {
  if (address !== undefined) return address;
  throw new BindingError(`${side} of move ${i}`, "memory with an address that the device reaches", `${kind} memory without one`);
}
