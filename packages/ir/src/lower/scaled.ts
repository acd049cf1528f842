import type { IntegerTable } from "../integer-table.js";

/**
 * Every entry times `factor`, in the narrowest table; the table itself where the factor is 1. The bounds of the
 * datatype have shown that the products are safe integers. O(n), a plain loop: it carries lists of 10^6 entries.
 */
export function scaled(table: IntegerTable, factor: number): IntegerTable {
  if (factor === 1) return table;
  const narrow = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const value = (table[i] as number) * factor;
    narrow[i] = value;
    if (narrow[i] !== value) return scaledWide(table, factor);
  }
  return narrow;
}

function scaledWide(table: IntegerTable, factor: number): Float64Array {
  const wide = new Float64Array(table.length);
  for (let i = 0; i < table.length; i++) wide[i] = (table[i] as number) * factor + 0; // -0 becomes 0
  return wide;
}
