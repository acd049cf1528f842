const ALIGN_BYTES = 16;

/** The variable-length parameters of a plan, one behind the other: Jenkins' lookaside buffer. */
export class Lookaside {
  readonly #parts: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Returns where the bytes will lie. */
  add(bytes: Uint8Array): number {
    const offset = this.#sizeBytes;
    this.#parts.push({ offset, bytes });
    this.#sizeBytes = Math.ceil((offset + bytes.byteLength) / ALIGN_BYTES) * ALIGN_BYTES;
    return offset;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#sizeBytes);
    for (const { offset, bytes } of this.#parts) all.set(bytes, offset);
    return all;
  }
}
