import type { Assembler, Label } from "@stowage/asm-x64";
import type { IntegerTable } from "@stowage/ir";

/** A table of integers in the artifact: 4 bytes an entry where all fit, else 8. */
export interface Table {
  readonly label: Label;
  readonly entryBytes: 4 | 8;
}

interface Written extends Table {
  readonly values: Int32Array | BigInt64Array;
}

/** An integer, or the distance of a label from the word itself. */
export type Word = number | Label;

const WORD_BYTES = 8;
/** Bytes to which a table's start is aligned. */
const ALIGNMENT = 64;
/** Zero bytes after the last table, so that a loop may read past its end where to prefetch. */
const PADDING = new Uint8Array(512);

/** The tables of one lowering; they follow the code and are reached relative to it. */
export class Tables {
  readonly #written: Written[] = [];
  readonly #byValues = new Map<IntegerTable, Table>();
  readonly #words: { readonly label: Label; readonly words: readonly Word[] }[] = [];

  /** Adds a table; one of the same list of values is written once. */
  add(asm: Assembler, values: IntegerTable): Table {
    const found = this.#byValues.get(values);
    if (found !== undefined) return found;
    const narrow = values instanceof Int32Array;
    const table: Written = {
      label: asm.label(),
      entryBytes: narrow ? 4 : 8,
      values: narrow ? values : BigInt64Array.from(values, (value) => BigInt(value)),
    };
    this.#written.push(table);
    this.#byValues.set(values, table);
    return table;
  }

  /** Words of 8 bytes, reached by their label. */
  addWords(asm: Assembler, words: readonly Word[]): Label {
    const label = asm.label();
    this.#words.push({ label, words });
    return label;
  }

  /** Writes everything. Throws a RangeError where a word names a label that is not bound by then. */
  write(asm: Assembler): void {
    const bytes = this.#written.reduce((sum, { values }) => sum + ALIGNMENT + values.byteLength, 0);
    asm.reserve(bytes + PADDING.length + this.#wordBytes());
    for (const { label, values } of this.#written) {
      asm.align(ALIGNMENT);
      asm.bind(label);
      asm.data(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
    if (this.#written.length > 0) asm.data(PADDING);
    // After the tables, whose labels words may name.
    if (this.#words.length > 0) asm.align(WORD_BYTES);
    for (const { label, words } of this.#words) writeWords(asm, label, words);
  }

  #wordBytes(): number {
    return this.#words.reduce((sum, { words }) => sum + WORD_BYTES * (words.length + 1), 0);
  }
}

function writeWords(asm: Assembler, label: Label, words: readonly Word[]): void {
  asm.bind(label);
  for (const word of words) {
    if (typeof word === "number") asm.word64(word);
    else asm.distance64(word);
  }
}
