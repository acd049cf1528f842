import { ByteWriter } from "./byte-writer.js";

/** The bytes of a name in ASCII. */
export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * Names that end in a zero byte, each known by its offset; the empty name is 0. System V ABI, chapter 4, "String
 * Table".
 */
export class StringTable {
  readonly #bytes = new ByteWriter().u8(0);
  readonly #offsets = new Map<string, number>([["", 0]]);

  offsetOf(name: string): number {
    const known = this.#offsets.get(name);
    if (known !== undefined) return known;
    const offset = this.#bytes.length;
    this.#bytes.bytes(asciiBytes(name)).u8(0);
    this.#offsets.set(name, offset);
    return offset;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.finish();
  }
}
