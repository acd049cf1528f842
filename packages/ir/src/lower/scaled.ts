import type { IntegerTable } from "../integer-table.js";

/**
 * The distance of every entry from the first one, times `factor`, in the narrowest table; the table itself where that
 * changes nothing. The bounds of the datatype have shown that the products are safe integers. O(n), a plain loop: it
 * carries lists of 10^6 entries.
 */
export function scaledFromFirst(table: IntegerTable, factor: number): IntegerTable {
  const first = table[0] as number;
  if (first === 0 && factor === 1) return table;
  const narrow = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const value = ((table[i] as number) - first) * factor;
    if (value !== (value | 0)) return scaledWide(table, first, factor);
    narrow[i] = value;
  }
  return narrow;
}

/** Every entry times `factor`. */
export function scaled(table: IntegerTable, factor: number): IntegerTable {
  if (factor === 1) return table;
  const narrow = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const value = (table[i] as number) * factor;
    if (value !== (value | 0)) return scaledWide(table, 0, factor);
    narrow[i] = value;
  }
  return narrow;
}

function scaledWide(table: IntegerTable, first: number, factor: number): Float64Array {
  const wide = new Float64Array(table.length);
  for (let i = 0; i < table.length; i++) wide[i] = ((table[i] as number) - first) * factor + 0; // -0 becomes 0
  return wide;
}
