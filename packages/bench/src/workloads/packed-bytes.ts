import { requireText } from "../require-value.js";

const FACTORS: Readonly<Record<string, number>> = { "": 1, b: 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

/** What parsePackedBytes accepts, in the words of an error. */
export const PACKED_BYTES_EXPECTED = "bytes, such as 4096, 64KiB or 1MiB";

/**
 * Reads a number of bytes as a user writes it, such as 4096, 64KiB or 1MiB; undefined where it is no whole number of
 * bytes above 0.
 */
export function parsePackedBytes(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)\s*([a-z]*)$/i.exec(requireText(text, "packed bytes").trim()) ?? [];
  const factor = FACTORS[unit.toLowerCase()];
  const value = Number(digits) * (factor ?? NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
