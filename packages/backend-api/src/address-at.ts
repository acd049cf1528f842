import { quoted, type Layout } from "@stowage/ir";
import { requireBinding, type Binding } from "./binding.js";
import { BindingError } from "./errors.js";
import type { Buffer } from "./memory.js";
import { bufferOriginOf } from "./reach.js";
import { regionAt } from "./region-at.js";

/**
 * Finds the address of a byte by its offset in bytes from the datatype's address 0. `leftBytes` is how many bytes from
 * that one on lie in the same region; Infinity where one buffer holds all that the binding reaches.
 */
export type AddressAt = (offsetBytes: number) => { readonly address: number; readonly leftBytes: number };

/**
 * Finds the addresses of one side of move `i`, for code that passes them to a driver. The binding must have been
 * checked, and what moves must lie within regions. Throws a BindingError where memory has no address that a device
 * reaches; the function that it returns throws one for an offset in no region.
 */
export function addressesOf(layout: Layout, side: "source" | "target", i: number, binding: Binding): AddressAt {
  if (side !== "source" && side !== "target")
    throw new BindingError("side of a move", "source or target", quoted(side));
  const { memory, originBytes } = requireBinding(i, binding)[side];
  const held = bufferOriginOf(layout, binding[side], binding);
  if (held !== undefined) {
    const address = requireAddress(held.buffer, side, i) + held.originBytes;
    return (offsetBytes) => ({ address: address + offsetBytes, leftBytes: Infinity });
  }
  return (offsetBytes) => {
    const region = regionAt(memory, originBytes + offsetBytes);
    if (region === undefined)
      throw new BindingError(`${side} of move ${i}`, "blocks within regions", `byte ${originBytes + offsetBytes}`);
    const within = originBytes + offsetBytes - region.startBytes;
    return { address: requireAddress(region.buffer, side, i) + within, leftBytes: region.buffer.sizeBytes - within };
  };
}

function requireAddress({ address, kind }: Buffer, side: string, i: number): number {
  if (address !== undefined) return address;
  throw new BindingError(
    `${side} of move ${i}`,
    "memory with an address that the device reaches",
    `${kind} memory without one`,
  );
}
