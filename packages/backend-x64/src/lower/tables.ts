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

/** The tables of one lowering; they follow the code and are reached relative to it. */
export class Tables {
  readonly #written: Written[] = [];
  readonly #byValues = new Map<IntegerTable, Table>();

  /** The same list of values is written once. */
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

  write(asm: Assembler): void {
    for (const { label, values } of this.#written) {
      asm.align(64);
      asm.bind(label);
      asm.data(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
  }
}
