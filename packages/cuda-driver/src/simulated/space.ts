import type { Allocation, SimulatedMemory } from "@stowage/ptx";
import { HostSpace } from "./host-space.js";
import type { SharedPages } from "./shared-pages.js";

export type OwnerKind = "device" | "pinned" | "managed";

interface Owner {
  readonly kind: OwnerKind;
  readonly device: number;
  readonly sizeBytes: number;
}

/** Allocations this large are backed page by page, as they are touched. */
const SPARSE_FROM_BYTES = 2 ** 24;
const CHUNK_BYTES = 2 ** 20;

/** The one address space of a simulated machine: allocations of the driver, and the process's own memory. */
export class AddressSpace {
  readonly memory: SimulatedMemory;
  readonly host = new HostSpace();
  readonly #owners = new Map<number, Owner>();

  /** By whose pages other processes see device memory; absent: they do not. */
  readonly #shared: SharedPages | undefined;
  /** Names that own allocations are shared by. */
  readonly #names = new Map<number, string>();
  readonly #opened = new Set<number>();

  constructor(memory: SimulatedMemory, shared?: SharedPages) {
    this.memory = memory;
    this.#shared = shared;
  }

  allocate(kind: OwnerKind, device: number, sizeBytes: number): number {
    const wholePages = kind === "device" && this.#shared !== undefined;
    const sparse = !wholePages && kind === "device" && sizeBytes >= SPARSE_FROM_BYTES;
    const address = Number(this.memory.allocate(sizeBytes, { sparse, wholePages }).address);
    this.#owners.set(address, { kind, device, sizeBytes });
    return address;
  }

  /** False where no allocation of these kinds starts there. */
  free(address: number, kinds: readonly OwnerKind[]): boolean {
    const owner = this.#owners.get(address);
    if (owner === undefined || !kinds.includes(owner.kind)) return false;
    if (this.#names.delete(address)) this.#shared?.close(this.#pagesAt(address));
    this.memory.free(BigInt(address));
    this.#owners.delete(address);
    return true;
  }

  /** The name by which other processes open an allocation; undefined where none can. */
  share(address: number): string | undefined {
    const known = this.#names.get(address);
    if (known !== undefined || this.#shared === undefined) return known;
    const name = this.#shared.share(this.#pagesAt(address));
    this.#names.set(address, name);
    return name;
  }

  /** Opens what another process shares; undefined where it shares nothing by this name. */
  open(name: string, device: number, sizeBytes: number): number | undefined {
    if (this.#shared === undefined) return undefined;
    const address = this.allocate("device", device, sizeBytes);
    if (this.#shared.open(name, this.#pagesAt(address))) {
      this.#names.set(address, name);
      this.#opened.add(address);
      return address;
    }
    this.free(address, ["device"]);
    return undefined;
  }

  /** Lets go of what was opened of another process; its own stays. */
  close(address: number): void {
    if (this.#opened.delete(address)) this.free(address, ["device"]);
  }

  #pagesAt(address: number): Uint8Array {
    return this.memory.pagesOf(this.memory.find(BigInt(address)) as Allocation);
  }

  freeAll(device: number): void {
    for (const [address, owner] of this.#owners) if (owner.device === device) this.free(address, [owner.kind]);
  }

  usedBytes(device: number): number {
    let bytes = 0;
    for (const owner of this.#owners.values())
      if (owner.kind === "device" && owner.device === device) bytes += owner.sizeBytes;
    return bytes;
  }

  /** The allocation that holds an address, and where it starts. */
  ownerOf(address: number): (Owner & { readonly startAddress: number }) | undefined {
    const found = this.memory.find(BigInt(address));
    if (found === undefined) return undefined;
    const startAddress = Number(found.address);
    const owner = this.#owners.get(startAddress);
    return owner === undefined ? undefined : { ...owner, startAddress };
  }

  /** Whether all these bytes can be reached. */
  holds(address: number, sizeBytes: number): boolean {
    const owner = this.ownerOf(address);
    if (owner !== undefined) return address + sizeBytes <= owner.startAddress + owner.sizeBytes;
    return this.host.bytesAt(address, sizeBytes) !== undefined;
  }

  read(address: number, sizeBytes: number): Uint8Array {
    const own = this.host.bytesAt(address, sizeBytes);
    return own === undefined ? this.memory.read(BigInt(address), sizeBytes) : own.slice();
  }

  write(address: number, bytes: Uint8Array): void {
    const own = this.host.bytesAt(address, bytes.byteLength);
    if (own === undefined) this.memory.write(BigInt(address), bytes);
    else own.set(bytes);
  }

  copy(target: number, source: number, sizeBytes: number): void {
    for (let done = 0; done < sizeBytes; done += CHUNK_BYTES) {
      this.write(target + done, this.read(source + done, Math.min(CHUNK_BYTES, sizeBytes - done)));
    }
  }

  fill(address: number, value: number, sizeBytes: number): void {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, sizeBytes)).fill(value);
    for (let done = 0; done < sizeBytes; done += CHUNK_BYTES) {
      this.write(address + done, chunk.subarray(0, Math.min(CHUNK_BYTES, sizeBytes - done)));
    }
  }
}
