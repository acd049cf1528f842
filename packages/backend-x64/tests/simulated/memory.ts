/** One piece of the simulated processor's memory. */
export interface Piece {
  readonly name: string;
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly writable: boolean;
}

/** Memory in pieces; every byte between them is forbidden, as a guard page's would be. */
export class SimulatedMemory {
  readonly #pieces: readonly Piece[];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  read(address: number): number {
    const { bytes, address: start } = this.#pieceAt(address, false);
    return bytes[address - start] as number;
  }

  write(address: number, value: number): void {
    const { bytes, address: start } = this.#pieceAt(address, true);
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

  #pieceAt(address: number, writing: boolean): Piece {
    for (const piece of this.#pieces) {
      if (address < piece.address || address >= piece.address + piece.bytes.length) continue;
      if (writing && !piece.writable)
        throw new RangeError(`write to ${piece.name}: expected none, got one at byte ${address - piece.address}`);
      return piece;
    }
    throw new RangeError(
      `address of a ${writing ? "write" : "read"}: expected one inside ${this.#pieces.map(({ name }) => name).join(", ")}, got ${address}`,
    );
  }
}
