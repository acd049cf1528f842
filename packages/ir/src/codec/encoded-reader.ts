import { DatatypeError } from "../errors.js";
import type { IntegerTable } from "../integer-table.js";
import type { LayoutNode } from "../layout/node.js";

/** Reads one row after another of encoded layouts, and trusts none: each field is checked for what it must be. */
export class EncodedReader {
  /** The nodes of the rows before the one at hand: what it may refer to. */
  readonly nodes: LayoutNode[] = [];
  private readonly tables: readonly IntegerTable[];
  private readonly checked = new Set<IntegerTable>();
  private path = "";
  private row: Float64Array = new Float64Array(0);

  constructor(tables: readonly IntegerTable[]) {
    this.tables = tables;
  }

  open(path: string, row: Float64Array): void {
    this.path = path;
    this.row = row;
  }

  integer(column: number, subject: string): number {
    const value = this.row[column] as number;
    if (!Number.isSafeInteger(value)) this.fail(subject, "an integer within ±(2^53 - 1)", value);
    return value;
  }

  natural(column: number, subject: string): number {
    const value = this.integer(column, subject);
    if (value < 0) this.fail(subject, "0 or more", value);
    return value;
  }

  /** The node that a column names by its row. */
  node(column: number): LayoutNode {
    return this.nodeAt(this.natural(column, "row of a node"));
  }

  nodeAt(row: number): LayoutNode {
    return this.nodes[row] ?? this.fail("row of a node", `one of the ${this.nodes.length} before it`, row);
  }

  table(column: number, subject: string): IntegerTable {
    const index = this.natural(column, `table of ${subject}`);
    const table = this.tables[index] ?? this.fail(`table of ${subject}`, `one of ${this.tables.length}`, index);
    this.requireIntegers(table, subject);
    return table;
  }

  naturals(column: number, subject: string): IntegerTable {
    const table = this.table(column, subject);
    for (let i = 0; i < table.length; i++) {
      if ((table[i] as number) < 0) this.fail(`${subject}[${i}]`, "0 or more", table[i] as number);
    }
    return table;
  }

  requireLength(table: IntegerTable, length: number, subject: string): void {
    if (table.length !== length) this.fail(subject, `${length}, one an entry`, table.length);
  }

  fail(subject: string, expected: string, got: number): never {
    throw new DatatypeError({ path: this.path, subject, expected, got: String(got) });
  }

  private requireIntegers(table: IntegerTable, subject: string): void {
    if (table instanceof Int32Array || this.checked.has(table)) return;
    for (let i = 0; i < table.length; i++) {
      const value = table[i] as number;
      if (!Number.isSafeInteger(value)) this.fail(`${subject}[${i}]`, "an integer within ±(2^53 - 1)", value);
    }
    this.checked.add(table);
  }
}
