import { SimulationError } from "./errors.js";
import { fixedMemory, PAGE_BYTES, type WasmMemory } from "../wasm/webassembly.js";

/** One allocation of a simulated device. */
export interface Allocation {
  readonly address: bigint;
  readonly sizeBytes: number;
  /** The bytes themselves, valid until the allocation is freed; absent where it is sparse. */
  readonly bytes?: Uint8Array;
}

/** How an allocation is made. */
export interface AllocateOptions {
  /**
   * Whether only the pages that are touched are backed, for sizes past what this process could hold. Pages start as
   * zeros. Default: false.
   */
  readonly sparse?: boolean;
  /** Whether it has pages of its own, for who backs them by others. Default: false. */
  readonly wholePages?: boolean;
  /** The address to put it at, a multiple of 512. Default: behind the last one, with a gap that belongs to nobody. */
  readonly address?: bigint;
}

/** Bytes [start, end) of an allocation, from its own first byte. */
interface Hole {
  readonly start: number;
  readonly end: number;
}

interface Held extends Allocation {
  /** Bytes that are not mapped, in order. */
  readonly holes: Hole[];
  /** What it holds of the WebAssembly memory, where it is not sparse. */
  readonly heldBytes: number;
  /** Offset in the WebAssembly memory; by page where the allocation is sparse. */
  readonly place: number | Map<number, number>;
}

/** Where an address lies: bytes [startAddress, endAddress) are at WebAssembly offset `place` onwards. */
export interface Window {
  readonly startAddress: bigint;
  readonly endAddress: bigint;
  readonly place: number;
}

export const SPARSE_PAGE_BYTES = 4096;
const ALIGN_BYTES = 512;
const FIRST_ADDRESS = 0x7f00_0000_0000n;

/**
 * The memory of a simulated device: allocations at 64-bit addresses, backed by one WebAssembly memory that kernels
 * import. Its capacity is fixed, so that views of it stay valid; untouched capacity costs address space only.
 */
export class SimulatedMemory {
  readonly wasm: WasmMemory;
  readonly #allocations: Held[] = [];
  readonly #free: { place: number; sizeBytes: number }[];
  #nextAddress = FIRST_ADDRESS;
  #workspace = { place: 0, sizeBytes: 0 };

  constructor(options: { readonly capacityBytes?: number } = {}) {
    const capacityBytes = options.capacityBytes ?? 2 ** 28;
    const pages = Math.ceil(capacityBytes / PAGE_BYTES);
    this.wasm = fixedMemory(pages);
    this.#free = [{ place: ALIGN_BYTES, sizeBytes: pages * PAGE_BYTES - ALIGN_BYTES }];
  }

  /** How many bytes could still be backed. */
  get freeBytes(): number {
    return this.#free.reduce((sum, range) => sum + range.sizeBytes, 0);
  }

  get allocations(): readonly Allocation[] {
    return this.#allocations;
  }

  /** Makes an allocation. Throws a SimulationError where the capacity is used up or the address is taken. */
  allocate(sizeBytes: number, options: AllocateOptions = {}): Allocation {
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) {
      throw new SimulationError(`simulated allocation: expected a size in bytes, got ${sizeBytes}`);
    }
    const address = options.address ?? this.#nextAddress;
    this.#requireVacant(address, sizeBytes);
    const { sparse = false, wholePages = false } = options;
    const held = sparse ? { place: new Map<number, number>() } : this.#back(sizeBytes, wholePages);
    const heldBytes = wholePages ? wholePagesOf(sizeBytes) : sizeBytes;
    const allocation: Held = Object.freeze({ address, sizeBytes, heldBytes, holes: [], ...held });
    this.#allocations.push(allocation);
    this.#allocations.sort((a, b) => (a.address < b.address ? -1 : 1));
    const gap = BigInt(Math.ceil((sizeBytes + 1) / ALIGN_BYTES) * ALIGN_BYTES + ALIGN_BYTES);
    if (address + gap > this.#nextAddress) this.#nextAddress = address + gap;
    return allocation;
  }

  /** The pages of an allocation that has some of its own. */
  pagesOf({ bytes, sizeBytes }: Allocation): Uint8Array {
    return new Uint8Array(this.wasm.buffer, bytes?.byteOffset ?? 0, wholePagesOf(sizeBytes));
  }

  /** Frees the allocation at an address. Throws a SimulationError where none starts there. */
  free(address: bigint): void {
    const index = this.#allocations.findIndex((held) => held.address === address);
    const held = this.#allocations[index];
    if (held === undefined) {
      throw new SimulationError(`simulated free: expected the start of an allocation, got 0x${address.toString(16)}`);
    }
    this.#allocations.splice(index, 1);
    if (typeof held.place === "number") this.#release(held.place, held.heldBytes);
    else for (const place of held.place.values()) this.#release(place, SPARSE_PAGE_BYTES);
  }

  /**
   * Makes bytes of an allocation that is not sparse fault from now on, as pages that a mapping leaves out do; before
   * kernels have touched them. Bytes that were unmapped already must not be among them.
   */
  unmap(address: bigint, sizeBytes: number): void {
    const held = this.#find(address);
    const start = held === undefined ? 0 : Number(address - held.address);
    if (held === undefined || typeof held.place !== "number" || start + sizeBytes > held.sizeBytes) {
      throw new SimulationError(`simulated unmap: expected bytes of one allocation, got 0x${address.toString(16)}`);
    }
    held.holes.push({ start, end: start + sizeBytes });
    held.holes.sort((a, b) => a.start - b.start);
  }

  /** The allocation that holds this address; undefined where none does. */
  find(address: bigint): Allocation | undefined {
    return this.#find(address);
  }

  /** Where the bytes around an address lie; of a sparse allocation, its page. Undefined where nothing is. */
  window(address: bigint): Window | undefined {
    const held = this.#find(address);
    if (held === undefined) return undefined;
    const { sizeBytes, place, address: startAddress, holes } = held;
    if (typeof place === "number") {
      const mapped = mappedAround(Number(address - startAddress), sizeBytes, holes);
      if (mapped === undefined) return undefined;
      const { start, end } = mapped;
      return {
        startAddress: startAddress + BigInt(start),
        endAddress: startAddress + BigInt(end),
        place: place + start,
      };
    }
    const page = Math.floor(Number(address - startAddress) / SPARSE_PAGE_BYTES);
    const pageStart = page * SPARSE_PAGE_BYTES;
    const pageEnd = Math.min(pageStart + SPARSE_PAGE_BYTES, sizeBytes);
    return {
      startAddress: startAddress + BigInt(pageStart),
      endAddress: startAddress + BigInt(pageEnd),
      place: this.#page(place, page),
    };
  }

  /** A place for a launch's own data: its parameters, shared memory and registers. One launch runs at a time. */
  workspace(sizeBytes: number): number {
    if (this.#workspace.sizeBytes < sizeBytes) {
      if (this.#workspace.sizeBytes > 0) this.#release(this.#workspace.place, this.#workspace.sizeBytes);
      this.#workspace = { place: this.#reserve(sizeBytes), sizeBytes };
    }
    return this.#workspace.place;
  }

  /** A copy of bytes from an address on, across pages where need be. Throws a SimulationError outside allocations. */
  read(address: bigint, lengthBytes: number): Uint8Array {
    const bytes = new Uint8Array(lengthBytes);
    this.#walk(address, lengthBytes, (view, doneBytes) => bytes.set(view, doneBytes));
    return bytes;
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.#walk(address, bytes.byteLength, (view, doneBytes) => {
      view.set(bytes.subarray(doneBytes, doneBytes + view.byteLength));
    });
  }

  #walk(address: bigint, lengthBytes: number, visit: (view: Uint8Array, doneBytes: number) => void): void {
    for (let doneBytes = 0; doneBytes < lengthBytes;) {
      const at = address + BigInt(doneBytes);
      const window = this.window(at);
      if (window === undefined) {
        throw new SimulationError(`simulated memory: expected an allocated address, got 0x${at.toString(16)}`);
      }
      const partBytes = Math.min(lengthBytes - doneBytes, Number(window.endAddress - at));
      const place = window.place + Number(at - window.startAddress);
      visit(new Uint8Array(this.wasm.buffer, place, partBytes), doneBytes);
      doneBytes += partBytes;
    }
  }

  #find(address: bigint): Held | undefined {
    let low = 0;
    let high = this.#allocations.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#allocations[middle] as Held).address <= address) low = middle + 1;
      else high = middle;
    }
    const held = this.#allocations[low - 1];
    return held !== undefined && address < held.address + BigInt(held.sizeBytes) ? held : undefined;
  }

  #requireVacant(address: bigint, sizeBytes: number): void {
    const end = address + BigInt(Math.max(sizeBytes, 1));
    const taken = this.#allocations.find(
      (held) => held.address < end && address < held.address + BigInt(held.sizeBytes),
    );
    if (taken !== undefined || address % BigInt(ALIGN_BYTES) !== 0n) {
      throw new SimulationError(
        `simulated allocation: expected a vacant address, a multiple of ${ALIGN_BYTES}, got 0x${address.toString(16)}`,
      );
    }
  }

  #back(sizeBytes: number, wholePages: boolean): { place: number; bytes: Uint8Array } {
    const place = wholePages ? this.#reservePages(sizeBytes) : this.#reserve(sizeBytes);
    return { place, bytes: new Uint8Array(this.wasm.buffer, place, sizeBytes) };
  }

  #page(pages: Map<number, number>, page: number): number {
    const known = pages.get(page);
    if (known !== undefined) return known;
    const place = this.#reserve(SPARSE_PAGE_BYTES);
    new Uint8Array(this.wasm.buffer, place, SPARSE_PAGE_BYTES).fill(0);
    pages.set(page, place);
    return place;
  }

  #reserve(sizeBytes: number): number {
    const neededBytes = roundUp(sizeBytes);
    const index = this.#free.findIndex((range) => range.sizeBytes >= neededBytes);
    const range = this.#free[index];
    if (range === undefined) {
      throw new SimulationError(
        `simulated memory: expected ${sizeBytes} bytes to be free, got ${this.freeBytes} of ${this.wasm.buffer.byteLength}`,
      );
    }
    const { place } = range;
    range.place += neededBytes;
    range.sizeBytes -= neededBytes;
    if (range.sizeBytes === 0) this.#free.splice(index, 1);
    return place;
  }

  /** Pages of which nobody else has a part; what is reserved before the first is given back at once. */
  #reservePages(sizeBytes: number): number {
    const bytes = wholePagesOf(sizeBytes);
    const place = this.#reserve(bytes + SPARSE_PAGE_BYTES);
    const start = wholePagesOf(place);
    if (start > place) this.#release(place, start - place);
    const end = place + bytes + SPARSE_PAGE_BYTES;
    if (end > start + bytes) this.#release(start + bytes, end - start - bytes);
    return start;
  }

  #release(place: number, sizeBytes: number): void {
    this.#free.push({ place, sizeBytes: roundUp(sizeBytes) });
    this.#free.sort((a, b) => a.place - b.place);
    for (let i = this.#free.length - 1; i > 0; i--) {
      const range = this.#free[i] as { place: number; sizeBytes: number };
      const before = this.#free[i - 1] as { place: number; sizeBytes: number };
      if (before.place + before.sizeBytes !== range.place) continue;
      before.sizeBytes += range.sizeBytes;
      this.#free.splice(i, 1);
    }
  }
}

/** The mapped bytes around an offset; undefined in a hole. */
function mappedAround(offset: number, sizeBytes: number, holes: readonly Hole[]): Hole | undefined {
  let start = 0;
  for (const hole of holes) {
    if (offset < hole.start) return { start, end: hole.start };
    if (offset < hole.end) return undefined;
    start = hole.end;
  }
  return { start, end: sizeBytes };
}

const wholePagesOf = (bytes: number): number => Math.ceil(bytes / SPARSE_PAGE_BYTES) * SPARSE_PAGE_BYTES;

const roundUp = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / ALIGN_BYTES)) * ALIGN_BYTES;
