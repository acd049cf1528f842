import { koffi } from "@stowage/host-plans";

/**
 * The function at an address. koffi types what it decodes as any; the prototype says what it is, and its name must be
 * new to the process.
 */
export function functionAt<F>(address: number, prototype: string): F {
  return koffi().decode(BigInt(address), koffi().proto(prototype)) as F;
}
