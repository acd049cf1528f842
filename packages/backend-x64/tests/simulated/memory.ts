/** One piece of the simulated processor's memory. */
export interface Piece {
  readonly name: string;
  readonly address: number;
  readonly bytes: Uint8Array;
  /** Which bytes may be read, 1 each; undefined: all. */
  readonly readable?: Uint8Array;
  /** Whether bytes may be written, or which, 1 each. */
  readonly writable: boolean | Uint8Array;
}

/** Memory in pieces; every byte between them is forbidden, as a guard page's would be. */
export class SimulatedMemory {
  readonly #pieces: readonly Piece[];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  read(address: number): number {
    const { name, bytes, readable, address: start } = this.#pieceAt(address, "read");
    if (readable !== undefined && readable[address - start] !== 1)
      throw new RangeError(`read of ${name}: expected one of the range's lines, got byte ${address - start}`);
    return bytes[address - start] as number;
  }

  write(address: number, value: number): void {
    const { name, bytes, writable, address: start } = this.#pieceAt(address, "write");
    if (writable === false || (writable !== true && writable[address - start] !== 1))
      throw new RangeError(`write to ${name}: expected a byte of the range, got byte ${address - start}`);
    bytes[address - start] = value;
  }

  /** `count` bytes, little-endian, unsigned. */
  readWord(address: number, count: number): bigint {
    let value = 0n;
    for (let i = count - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.read(address + i));
    return value;
  }

  writeWord(address: number, count: number, value: bigint): void {
    for (let i = 0; i < count; i++) this.write(address + i, Number((value >> BigInt(8 * i)) & 255n));
  }

  #pieceAt(address: number, access: "read" | "write"): Piece {
    for (const piece of this.#pieces)
      if (address >= piece.address && address < piece.address + piece.bytes.length) return piece;
    throw new RangeError(
      `address of a ${access}: expected one inside ${this.#pieces.map(({ name }) => name).join(", ")}, got ${address}`,
    );
  }
}
