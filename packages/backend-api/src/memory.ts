import { ArgumentError, quoted } from "@stowage/ir";

/** host: pageable; pinned: page-locked and mapped into devices; device: one GPU's own; managed: migrates. */
export type MemoryKind = "host" | "pinned" | "device" | "managed";

/** One allocation. */
export interface Buffer {
  readonly kind: MemoryKind;
  readonly sizeBytes: number;
  /** The bytes themselves, where this process may touch them; absent for device memory. */
  readonly bytes?: Uint8Array;
  /** Its address in the machine's address space, where the allocation has a fixed one. */
  readonly address?: number;
  /** The ordinal of the device that owns it; absent for host memory. */
  readonly device?: number;
}

/** A buffer at its place in an address space; offsets of a datatype with absolute addresses fall into it. */
export interface Region {
  readonly startBytes: number;
  readonly buffer: Buffer;
}

/**
 * Several registered buffers in one space of addresses, for datatypes with absolute addresses (MPI_BOTTOM).
 * Every block that moves must lie within one region.
 */
export interface AddressSpace {
  readonly kind: MemoryKind;
  /** Sorted by startBytes, without overlap. */
  readonly regions: readonly Region[];
}

export type Memory = Buffer | AddressSpace;

export const isAddressSpace = (memory: Memory): memory is AddressSpace => "regions" in memory;

/** Throws an ArgumentError where regions are none, overlap, are of different kinds, or lie beyond the safe integers. */
export function addressSpace(regions: readonly Region[]): AddressSpace {
  requireRegions(regions);
  const sorted = [...regions].sort((a, b) => a.startBytes - b.startBytes || a.buffer.sizeBytes - b.buffer.sizeBytes);
  const kind = sorted[0]?.buffer.kind ?? "host";
  let endBytes = -Infinity;
  for (const { startBytes, buffer } of sorted) {
    if (startBytes < endBytes) {
      throw wrongRegions("no overlap", `one at byte ${startBytes}`);
    }
    if (buffer.kind !== kind) {
      throw wrongRegions(`${kind} memory only`, `${buffer.kind} memory`);
    }
    endBytes = startBytes + buffer.sizeBytes;
    if (!Number.isSafeInteger(startBytes) || !Number.isSafeInteger(endBytes)) {
      const got = Number.isSafeInteger(startBytes) ? endBytes : startBytes;
      throw wrongRegions("bounds within ±(2^53 - 1)", String(got));
    }
  }
  return Object.freeze({ kind, regions: Object.freeze(sorted) });
}

/** What plain JavaScript hands over as a list of regions must be one. */
function requireRegions(regions: readonly Region[]): void {
  if (!Array.isArray(regions)) throw wrongRegions("a list", quoted(regions));
  for (const region of regions as readonly (Partial<Region> | null | undefined)[]) {
    if (typeof region?.startBytes === "number" && typeof region.buffer?.sizeBytes === "number") continue;
    throw wrongRegions("buffers, each with the start of its region", quoted(region));
  }
}

const wrongRegions = (expected: string, got: string): ArgumentError =>
  new ArgumentError("regions of an address space", expected, got);
