import { ArgumentError, quoted } from "@stowage/ir";

// CUlimit, cuda.h 13.0.
const LIMITS = { stackBytes: 0, printfBytes: 1, heapBytes: 2, l2FetchBytes: 5, persistingL2Bytes: 6 } as const;

/**
 * A limit of a context, in bytes (CUlimit). l2FetchBytes is a hint of how much L2 fetches at a miss: 32, 64 (the
 * default) or 128.
 */
export type Limit = keyof typeof LIMITS;

/** Throws an ArgumentError for a name that is no limit's. */
export function limitNumber(name: Limit): number {
  if (typeof name === "string" && Object.hasOwn(LIMITS, name)) return LIMITS[name];
  throw new ArgumentError("limit of a context", Object.keys(LIMITS).join(", "), quoted(name));
}
