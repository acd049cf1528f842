import { ArgumentError, quoted } from "@stowage/ir";

/**
 * Where memory lies. "host": pageable memory of the host; "pinned": page-locked host memory that is mapped into
 * devices; "device": one GPU's own memory; "managed": unified memory, whose pages migrate between host and devices
 * (CUDA programming guide, "Unified Memory").
 */
export type MemoryKind = (typeof MEMORY_KINDS)[number];
export const MEMORY_KINDS = ["host", "pinned", "device", "managed"] as const;

/** One allocation of memory: bytes of JavaScript, an address, or both. */
export interface Buffer {
  /** Where the memory lies. */
  readonly kind: MemoryKind;
  /** The length of the allocation in bytes. */
  readonly sizeBytes: number;
  /** The bytes themselves, where this process may touch them; absent for device memory. */
  readonly bytes?: Uint8Array;
  /**
   * The address of its first byte in the machine's address space, where the allocation has a fixed one. Device memory
   * must have one.
   */
  readonly address?: number;
  /** The number of the device that owns it, CUDA's device ordinal from 0; absent for host memory. */
  readonly device?: number;
}

/**
 * A buffer at its place in an address space: a block of a datatype with absolute addresses lies in the region that
 * holds its address.
 */
export interface Region {
  /** The place of the buffer's first byte in the address space, in bytes. */
  readonly startBytes: number;
  /** The buffer. */
  readonly buffer: Buffer;
}

/**
 * Several registered buffers in one space of addresses, for datatypes with absolute addresses (MPI_BOTTOM).
 * Every block that moves must lie within one region.
 */
export interface AddressSpace {
  /** The kind of memory of every region. */
  readonly kind: MemoryKind;
  /** Sorted by startBytes, without overlap. */
  readonly regions: readonly Region[];
}

/** The memory of one side: one buffer, or an address space of several. */
export type Memory = Buffer | AddressSpace;

/**
 * Whether memory is an address space; false for a buffer, and for what plain JavaScript hands over that is no memory at
 * all.
 */
export const isAddressSpace = (memory: Memory): memory is AddressSpace =>
  typeof memory === "object" && (memory as Memory | null) !== null && "regions" in memory;

/**
 * Makes an address space of regions, in any order. Throws an ArgumentError where the argument is no list of regions, or
 * regions overlap, are of different kinds, or lie beyond the safe integers.
 *
 * @example
 * ```ts
 * // Datatypes with absolute addresses (MPI_Get_address) count from address 0: so does the binding.
 * const space = addressSpace([
 *   { startBytes: 0x1000, buffer: hostMemory(left) },
 *   { startBytes: 0x9000, buffer: hostMemory(right) },
 * ]);
 * const source: Span = { memory: space, originBytes: 0 };
 * ```
 */
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
  const space: AddressSpace = Object.freeze({ kind, regions: Object.freeze(sorted) });
  SPACES.add(space);
  return space;
}

/** Those whose regions have been looked at. */
const SPACES = new WeakSet<AddressSpace>();

/** Whether it is a buffer, or an address space that has been looked at: requireMemory judges all else. */
export const isMemory = (memory: Memory): boolean => (isAddressSpace(memory) ? SPACES.has(memory) : isBuffer(memory));

/**
 * Returns the memory. Throws an ArgumentError where plain JavaScript handed over something that is no memory; `subject`
 * names it in the message.
 */
export function requireMemory(memory: Memory, subject = "memory"): Memory {
  if (isAddressSpace(memory)) {
    if (!SPACES.has(memory)) requireRegions(memory.regions);
    return memory;
  }
  if (isBuffer(memory)) return memory;
  throw new ArgumentError(subject, "a buffer or an address space", quoted(memory));
}

const isBuffer = (value: Partial<Buffer> | null | undefined): value is Buffer =>
  typeof value === "object" &&
  value !== null &&
  typeof value.sizeBytes === "number" &&
  (value.bytes === undefined || value.bytes instanceof Uint8Array) &&
  (value.address === undefined || typeof value.address === "number");

/** What plain JavaScript hands over as a list of regions must be one. */
function requireRegions(regions: readonly Region[]): void {
  if (!Array.isArray(regions)) throw wrongRegions("a list", quoted(regions));
  for (const region of regions as readonly (Partial<Region> | null | undefined)[]) {
    if (typeof region?.startBytes === "number" && isBuffer(region.buffer)) continue;
    throw wrongRegions("buffers, each with the start of its region", quoted(region));
  }
}

const wrongRegions = (expected: string, got: string): ArgumentError =>
  new ArgumentError("regions of an address space", expected, got);
