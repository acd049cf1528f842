import type { Direction } from "../move.js";
import { murmur3 } from "./murmur-3.js";

/** What code depends on besides its datatype. */
export interface KeyVariant {
  readonly direction: Direction;
  readonly backend: string;
  /** The version of the backend's payload. */
  readonly formatVersion: number;
  readonly level: string;
  /** A backend's options in a text; empty: its defaults. */
  readonly tuning: string;
}

/**
 * The words of a variant (direction, backend, format version, level, tuning) as they go into a type's key. C programs
 * write the same text.
 */
export const variantText = ({ direction, backend, formatVersion, level, tuning }: KeyVariant): string =>
  `${direction} ${backend} ${formatVersion} ${level} ${tuning}`;

/**
 * 128 bits, in 32 hexadecimal digits, that name the code for a datatype's description (see describeType): what a C
 * program computes from an MPI handle with stowage_key. The artifact stored under it has its own artifactKey and its
 * whole description; whoever finds one compares that, since a hash proves nothing.
 */
export function typeKey(description: Uint8Array, variant: KeyVariant): string {
  const text = Uint8Array.from(variantText(variant), (letter) => letter.charCodeAt(0));
  const seed = murmur3(text, 0).reduce((all, word) => all ^ word);
  const bytes = new Uint8Array(murmur3(description, seed).buffer);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
