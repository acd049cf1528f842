import { requireNumber } from "./require-value.js";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** What three digits would round to 1024 is one of the next unit. */
const NEXT_UNIT = 1023.5;

/**
 * A number of bytes for a person, in the greatest of B, KiB, MiB and so on that suits: 1536 is "1.5 KiB". Throws an
 * ArgumentError for what is no number.
 */
export function formatBytes(sizeBytes: number): string {
  let value = requireNumber(sizeBytes, "bytes");
  let unit = 0;
  while (value >= NEXT_UNIT && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : significant(value)} ${UNITS[unit]}`;
}

/**
 * A time in nanoseconds for a person, in ns, us, ms or s: 12_300 is "12.3 us". Throws an ArgumentError for what is no
 * number.
 */
export function formatNs(ns: number): string {
  requireNumber(ns, "nanoseconds");
  if (ns < 1e3) return `${significant(ns)} ns`;
  if (ns < 1e6) return `${significant(ns / 1e3)} us`;
  if (ns < 1e9) return `${significant(ns / 1e6)} ms`;
  return `${significant(ns / 1e9)} s`;
}

/**
 * A number for a person: three significant digits or two decimals, without an exponent; what would be 0.00 keeps its
 * first two digits. Throws an ArgumentError for what is no number.
 */
export function significant(value: number): string {
  requireNumber(value, "value");
  if (!Number.isFinite(value)) return String(value);
  if (value > 0 && value < 0.005) return value.toFixed(Math.min(20, 1 - Math.floor(Math.log10(value))));
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
