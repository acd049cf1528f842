// CUlimit, cuda.h 13.0.
const LIMITS = { stackBytes: 0, printfBytes: 1, heapBytes: 2, l2FetchBytes: 5, persistingL2Bytes: 6 } as const;

/** A limit of a context. l2FetchBytes: how much L2 fetches at a miss: 32, 64 (the default) or 128; a hint. */
export type Limit = keyof typeof LIMITS;

export const limitNumber = (name: Limit): number => LIMITS[name];
