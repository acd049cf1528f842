/** Little-endian records, one behind the other. */
export class ByteWriter {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  bytes(bytes: Uint8Array): this {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  u8(value: number): this {
    return this.bytes(Uint8Array.of(value));
  }

  u16(value: number): this {
    return this.bytes(Uint8Array.of(value & 255, value >>> 8));
  }

  u32(value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    return this.bytes(bytes);
  }

  u64(value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
    return this.bytes(bytes);
  }

  /** Zero bytes up to a multiple of the alignment. */
  align(alignmentBytes: number): this {
    return this.bytes(new Uint8Array(upTo(this.#length, alignmentBytes) - this.#length));
  }

  /** Zero bytes up to an offset. */
  to(offsetBytes: number): this {
    return this.bytes(new Uint8Array(offsetBytes - this.#length));
  }

  finish(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}

export const upTo = (length: number, alignmentBytes: number): number =>
  Math.ceil(length / alignmentBytes) * alignmentBytes;
