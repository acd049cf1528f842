import type { IntegerTable } from "../integer-table.js";
import type { Blocks, Sequence } from "../layout/node.js";

/** Blocks of varying length. */
export type VaryingBlocks = Blocks & { readonly blocklengths: IntegerTable };

// Built on the first search of a node and dropped with it: a walk from the start never needs them.
const copiesByNode = new WeakMap<VaryingBlocks, IntegerTable>();
const bytesByNode = new WeakMap<Sequence, Float64Array>();

/** Entry i: copies of the child in the blocks before block i; one entry more than there are blocks. O(n) once. */
export function copiesBefore(node: VaryingBlocks): IntegerTable {
  const known = copiesByNode.get(node);
  if (known !== undefined) return known;
  const { blocklengths, sizeBytes, child } = node;
  const copies = child.sizeBytes === 0 ? Infinity : sizeBytes / child.sizeBytes;
  const table = copies < 2 ** 31 ? new Int32Array(blocklengths.length + 1) : new Float64Array(blocklengths.length + 1);
  let sum = 0;
  for (let i = 0; i < blocklengths.length; i++) table[i + 1] = sum += blocklengths[i] as number;
  copiesByNode.set(node, table);
  return table;
}

/** Entry i: packed bytes of the members before member i; one entry more than there are members. O(n) once. */
export function bytesBefore(node: Sequence): Float64Array {
  const known = bytesByNode.get(node);
  if (known !== undefined) return known;
  const table = new Float64Array(node.members.length + 1);
  let sum = 0;
  node.members.forEach((member, i) => (table[i + 1] = sum += member.node.sizeBytes));
  bytesByNode.set(node, table);
  return table;
}

/** The last index whose entry is at most `value`, in a table that never falls and starts with 0. O(log n). */
export function lastAtMost(table: IntegerTable, value: number): number {
  let low = 0;
  let high = table.length;
  while (high - low > 1) {
    const middle = low + ((high - low) >>> 1); // of indices, not of offsets
    if ((table[middle] as number) <= value) low = middle;
    else high = middle;
  }
  return low;
}
