import { DameError } from "./dame-error.js";

export interface Position {
  readonly line: number;
  readonly column: number;
}

export const positionText = ({ line, column }: Position): string => `line ${line}, column ${column}`;

const WORD = /[A-Za-z][A-Za-z0-9]*/y;
const INTEGER = /-?[0-9]+/y;

/** Reads words, integers and marks of a DAME text; blanks and #-comments between them are passed over. */
export class Scanner {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  get position(): Position {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  get atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What stands here, for an error message. */
  get found(): string {
    if (this.atEnd) return "the end of the text";
    return (
      this.#match(WORD) ?? this.#match(INTEGER) ?? `"${String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)}"`
    );
  }

  fail(expected: string, got = this.found): never {
    throw new DameError(positionText(this.position), expected, got);
  }

  /** Passes over `mark` where it stands here. */
  accept(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#advance(1);
    return true;
  }

  expect(mark: string): void {
    if (!this.accept(mark)) this.fail(`"${mark}"`);
  }

  word(expected: string): string {
    const word = this.#match(WORD) ?? this.fail(expected);
    this.#advance(word.length);
    return word;
  }

  integer(expected: string): number {
    const digits = this.#match(INTEGER) ?? this.fail(expected);
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) this.fail("an integer within ±(2^53 - 1)", digits.slice(0, 24));
    this.#advance(digits.length);
    return value === 0 ? 0 : value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #advance(length: number): void {
    this.#at += length;
    this.#skip();
  }

  #skip(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] as string;
      if (character === "\n") {
        this.#line++;
        this.#lineStart = this.#at + 1;
      } else if (character === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = (end === -1 ? this.#text.length : end) - 1;
      } else if (character.trim() !== "") return;
    }
  }
}
