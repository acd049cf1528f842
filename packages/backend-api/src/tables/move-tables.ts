import { ArgumentError, quoted } from "@stowage/ir";

/** Bytes of an entry of a displacement table: unsigned integers of 32 bits, or signed ones of 64; little-endian. */
export const TABLE_ENTRY_BYTES = Object.freeze({ u32: 4, i64: 8 } as const);

/** How a displacement table stores its entries. */
export type TableIndex = keyof typeof TABLE_ENTRY_BYTES;

/**
 * What is known of a displacement table before it is there: element k of the side lies entry k times `strideBytes` from
 * the side's origin, wherever the extents of k elements would end.
 */
export interface ElementTable {
  readonly index: TableIndex;
  /** Bytes that an entry counts; not 0. A page table counts pages, a table of displacements bytes (1). */
  readonly strideBytes: number;
}

/**
 * The sides of a move whose elements lie where a table says that comes with the binding: as those of an
 * MPI_Type_create_hindexed_block whose displacements are a run-time parameter.
 */
export interface MoveTables {
  readonly source?: ElementTable;
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

/** A line for a person: where elements lie, and which stay; none of a move without tables. */
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
