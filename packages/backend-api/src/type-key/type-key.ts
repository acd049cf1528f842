import type { Direction } from "../move.js";
import { murmur3 } from "./murmur-3.js";

/** What code depends on besides its datatype. */
export interface KeyVariant {
  /** What the code does. */
  readonly direction: Direction;
  /** The name of the backend that makes the code. */
  readonly backend: string;
  /** The version of the backend's payload. */
  readonly formatVersion: number;
  /** The processor level that the code is for, as the backend names it. */
  readonly level: string;
  /** A backend's options as text; "" stands for its defaults. */
  readonly tuning: string;
}

/**
 * The words of a variant (direction, backend, format version, level, tuning) as they go into a type's key. C programs
 * write the same text.
 */
export const variantText = ({ direction, backend, formatVersion, level, tuning }: KeyVariant): string =>
  `${direction} ${backend} ${formatVersion} ${level} ${tuning}`;

/**
 * Names the code for a datatype's description (see describeType): 128 bits, as 32 hexadecimal digits, of a MurmurHash3.
 * A C program computes the same from an MPI handle with stowage_key. The artifact stored under it has its own
 * artifactKey and its whole description; a program that finds one compares the description, since a hash proves
 * nothing.
 */
export function typeKey(description: Uint8Array, variant: KeyVariant): string {
  const text = Uint8Array.from(variantText(variant), (letter) => letter.charCodeAt(0));
  const seed = murmur3(text, 0).reduce((all, word) => all ^ word);
  const bytes = new Uint8Array(murmur3(description, seed).buffer);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
