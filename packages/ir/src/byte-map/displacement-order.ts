import { requireTable, type IntegerTable } from "../integer-table.js";
import { copiesBefore, type VaryingBlocks } from "./packed-prefix.js";
import type { Blocks } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";

/**
 * An order in which to touch the blocks of one node that is not the packed order: by ascending displacement, blocks
 * of equal displacement in packed order. A property of a plan, never of a layout: the packed stream stays as it is,
 * and each block keeps its place in it (DAME, section 3.3: an unpack then writes memory in order; Figure 14).
 */
export interface DisplacementOrder {
  /** Entry i is the index of the block to visit i-th; there is one entry a block. */
  readonly blocks: Uint32Array;
  /** Entry i is the byte at which the i-th block visited starts in the packed bytes of the node. */
  readonly packedBytes: IntegerTable;
}

/**
 * The order in which the blocks of a node ascend in memory; undefined where they ascend in packed order already, so
 * that there is nothing to gain. O(n) in blocks.
 *
 * @example
 * ```typescript
 * displacementOrder(uniformBlocks(integerTable(3, (i) => [64, 0, 32][i] ?? 0), dense(8)));
 * // { blocks: [1, 2, 0], packedBytes: [8, 16, 0] }
 * ```
 */
export function displacementOrder(node: Blocks): DisplacementOrder | undefined {
  requireNode(node);
  const blocks = ascendingOrder(node.displacementsBytes);
  if (blocks === undefined) return undefined;
  return Object.freeze({ blocks, packedBytes: packedOffsets(node, blocks) });
}

function ascends(table: IntegerTable): boolean {
  for (let i = 1; i < table.length; i++) {
    if ((table[i - 1] as number) > (table[i] as number)) return false;
  }
  return true;
}

function packedOffsets(node: Blocks, order: Uint32Array): IntegerTable {
  const before = node.blocklengths === 1 ? undefined : copiesBefore(node as VaryingBlocks);
  const packed = node.sizeBytes < 2 ** 31 ? new Int32Array(order.length) : new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const block = order[i] as number;
    packed[i] = (before === undefined ? block : (before[block] as number)) * node.child.sizeBytes;
  }
  return packed;
}

/**
 * The indices of a table's entries, by ascending entry, those of equal entries in their order; as many as there are
 * entries. Undefined where they ascend already. Throws an ArgumentError where it is no table.
 * A stable radix sort, least digit first; keys are doubles, so digits come off by division. O(n).
 */
export function ascendingOrder(table: IntegerTable): Uint32Array | undefined {
  requireTable(table, "table to order");
  if (ascends(table)) return undefined;
  const { low, range } = spread(table);
  // A digit as wide as the table is long keeps counting no dearer than moving; 2^16 counters still fit a cache.
  const radix = Math.min(2 ** 16, Math.max(2 ** 8, 2 ** Math.ceil(Math.log2(table.length))));
  let order = new Uint32Array(table.length);
  let keys = new Float64Array(table.length);
  for (let i = 0; i < table.length; i++) {
    order[i] = i;
    keys[i] = (table[i] as number) - low; // exact: a true extent is a safe integer
  }
  for (let left = range; left > 0; left = Math.floor(left / radix)) {
    ({ order, keys } = sortedByLastDigit(order, keys, radix));
  }
  return order;
}

interface Keyed {
  readonly order: Uint32Array<ArrayBuffer>;
  readonly keys: Float64Array<ArrayBuffer>;
}

/** Moves the indices stably by the last digit of their keys, and drops that digit. */
function sortedByLastDigit(order: Uint32Array, keys: Float64Array, radix: number): Keyed {
  const places = placesByLastDigit(keys, radix);
  const sorted = { order: new Uint32Array(order.length), keys: new Float64Array(order.length) };
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const rest = Math.floor(key / radix);
    const digit = key - rest * radix;
    const place = places[digit] as number;
    places[digit] = place + 1;
    sorted.order[place] = order[i] as number;
    sorted.keys[place] = rest;
  }
  return sorted;
}

/** Entry d: how many keys have a last digit below d. */
function placesByLastDigit(keys: Float64Array, radix: number): Uint32Array {
  const places = new Uint32Array(radix + 1);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    places[key - Math.floor(key / radix) * radix + 1]! += 1;
  }
  for (let digit = 1; digit <= radix; digit++) places[digit]! += places[digit - 1]!;
  return places;
}

function spread(table: IntegerTable): { low: number; range: number } {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < table.length; i++) {
    low = Math.min(low, table[i] as number);
    high = Math.max(high, table[i] as number);
  }
  return { low, range: high - low };
}
