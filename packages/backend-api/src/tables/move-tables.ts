import { ArgumentError, quoted } from "@stowage/ir";

/**
 * The bytes of an entry of a displacement table: u32 is an unsigned integer of 32 bits, i64 a signed one of 64; both
 * are little-endian.
 */
export const TABLE_ENTRY_BYTES = Object.freeze({ u32: 4, i64: 8 } as const);

/** How a displacement table stores its entries. */
export type TableIndex = keyof typeof TABLE_ENTRY_BYTES;

/**
 * What is known of a displacement table before it is there: element k of the side lies entry k times `strideBytes` from
 * the side's origin, wherever the extents of k elements would end.
 */
export interface ElementTable {
  /** How the table stores its entries. */
  readonly index: TableIndex;
  /** Bytes that an entry counts; not 0. A page table counts pages, a table of displacements bytes (1). */
  readonly strideBytes: number;
}

/**
 * The sides of a move whose elements lie where a table says that comes with the binding, like those of an
 * MPI_Type_create_hindexed_block whose displacements are a run-time parameter (MPI 4.1, section 5.1.2). One side at
 * least has a table.
 */
export interface MoveTables {
  /** The table of the source. Absent: its elements lie an extent apart. */
  readonly source?: ElementTable;
  /** The table of the target. Absent: its elements lie an extent apart. */
  readonly target?: ElementTable;
  /**
   * Whether an entry of -1 (in u32: 2^32 - 1), in either table, leaves its element where it is. Default: false, and
   * such an entry is an error like any other that leads outside.
   */
  readonly skips?: boolean;
}

/** Throws an ArgumentError for what can be no tables of a move. */
export function requireTables(tables: MoveTables): MoveTables {
  if (typeof tables !== "object" || (tables as MoveTables | null) === null)
    throw new ArgumentError("tables of a move", "{ source, target, skips }", quoted(tables));
  const { source, target, skips } = tables;
  if (source === undefined && target === undefined)
    throw new ArgumentError("tables of a move", "one of its source, its target, or both", "none");
  requireElementTable("source", source);
  requireElementTable("target", target);
  if (skips !== undefined && typeof skips !== "boolean")
    throw new ArgumentError("skips of a move's tables", "true or false", quoted(skips));
  return tables;
}

function requireElementTable(side: string, table: ElementTable | undefined): void {
  if (table === undefined) return;
  if (typeof table !== "object" || (table as ElementTable | null) === null)
    throw new ArgumentError(`table of the ${side}`, "{ index, strideBytes }", quoted(table));
  if (typeof table.index !== "string" || !Object.hasOwn(TABLE_ENTRY_BYTES, table.index))
    throw new ArgumentError(`index of the ${side}'s table`, "u32 or i64", quoted(table.index));
  if (!Number.isSafeInteger(table.strideBytes) || table.strideBytes === 0)
    throw new ArgumentError(
      `stride of the ${side}'s table`,
      "bytes, a whole number other than 0",
      quoted(table.strideBytes),
    );
}

/** The words that tell tables apart: keys of artifacts hold them. */
export const tablesText = ({ source, target, skips }: MoveTables): string =>
  `tables ${tableText(source)} ${tableText(target)}${skips === true ? " skips" : ""}`;

/**
 * A line for a person that says where elements lie and whether entries may skip; undefined for a move without tables.
 */
export function describeTables(tables: MoveTables | undefined): string | undefined {
  if (tables === undefined) return undefined;
  const sides = (["source", "target"] as const).flatMap((name) => {
    const table = tables[name];
    return table === undefined ? [] : [`${name} elements at ${table.index} entries x ${table.strideBytes} B`];
  });
  return `tables at binding: ${sides.join(", ")}${tables.skips === true ? "; -1 skips" : ""}`;
}

const tableText = (table: ElementTable | undefined): string =>
  table === undefined ? "-" : `${table.index}*${table.strideBytes}`;

/** Whether moves with these tables, or without any, may share a kernel. */
export const sameTables = (a: MoveTables | undefined, b: MoveTables | undefined): boolean =>
  (a === undefined ? "" : tablesText(a)) === (b === undefined ? "" : tablesText(b));
