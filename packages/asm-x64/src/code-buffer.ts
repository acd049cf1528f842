/** Room behind the code that is worth no copy, as a share of what was written. */
const MOST_ROOM_SHARE = 1 / 8;

/** Bytes that grow; little-endian, as the machine reads them. */
export class CodeBuffer {
  #bytes = new Uint8Array(4096);
  length = 0;

  /** Room for that many bytes more: byte() and word32() look for none, so that an instruction asks once. */
  reserve(bytes: number): void {
    if (this.length + bytes > this.#bytes.length) this.#grow(this.length + bytes);
  }

  byte(value: number): void {
    this.#bytes[this.length++] = value;
  }

  /** The low 32 bits of an integer. */
  word32(value: number): void {
    const at = this.length;
    const bytes = this.#bytes;
    bytes[at] = value & 255;
    bytes[at + 1] = (value >> 8) & 255;
    bytes[at + 2] = (value >> 16) & 255;
    bytes[at + 3] = (value >> 24) & 255;
    this.length = at + 4;
  }

  word64(value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.word32(Number(bits & 0xffffffffn));
    this.word32(Number(bits >> 32n));
  }

  append(bytes: Uint8Array): void {
    this.#grow(this.length + bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  patch32(at: number, value: number): void {
    this.#bytes[at] = value & 255;
    this.#bytes[at + 1] = (value >> 8) & 255;
    this.#bytes[at + 2] = (value >> 16) & 255;
    this.#bytes[at + 3] = (value >> 24) & 255;
  }

  patch8(at: number, value: number): void {
    this.#bytes[at] = value & 255;
  }

  /** What was written, when all is: without a copy where little room is left behind it. */
  toBytes(): Uint8Array {
    const room = this.#bytes.length - this.length;
    return room <= MOST_ROOM_SHARE * this.length
      ? this.#bytes.subarray(0, this.length)
      : this.#bytes.slice(0, this.length);
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}
