import { clamp, type AddressIndex, type Found } from "./address-index.js";

/** One run of contiguous bytes. */
export class RunIndex implements AddressIndex {
  readonly sizeBytes: number;
  readonly lowBytes = 0;
  readonly highBytes: number;
  readonly exact = true;

  constructor(lengthBytes: number) {
    this.sizeBytes = lengthBytes;
    this.highBytes = lengthBytes;
  }

  before(address: number): number {
    return clamp(address, 0, this.sizeBytes);
  }

  from(address: number): Found | undefined {
    const at = Math.max(0, address);
    return at < this.sizeBytes ? { address: at, packed: at } : undefined;
  }
}
