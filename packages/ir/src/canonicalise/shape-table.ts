import { dense } from "../layout/dense.js";
import type { LayoutNode } from "../layout/node.js";
import { nodeHash } from "../layout/node-hash.js";
import { sameNode } from "../layout/same-layout.js";
import { stream } from "../layout/stream.js";

/**
 * What the items of a list are, by number: equal nodes have one number. Numbers below zero are streams that grouping
 * made; the rest are the list's own parts, in a numbering of the list's own (an index, or a length in bytes).
 */
export class ShapeTable {
  /** The number of the shape where a list has only one. */
  readonly only = 0;
  readonly #part: (id: number) => LayoutNode;
  readonly #streams: LayoutNode[] = [];
  /** By shape, then count, then stride. */
  readonly #ids = new Map<number, Map<number, Map<number, number>>>();

  constructor(part: (id: number) => LayoutNode) {
    this.#part = part;
  }

  /** Numbers nodes so that equal ones share a number. */
  static ofNodes(nodes: readonly LayoutNode[]): ShapeTable & { idOf(i: number): number } {
    const distinct: LayoutNode[] = [];
    const buckets = new Map<number, number[]>();
    const ids = nodes.map((node) => {
      const { low } = nodeHash(node);
      const bucket = buckets.get(low) ?? [];
      buckets.set(low, bucket);
      const known = bucket.find((id) => sameNode(distinct[id] as LayoutNode, node));
      if (known !== undefined) return known;
      bucket.push(distinct.length);
      return distinct.push(node) - 1;
    });
    const table = new ShapeTable((id) => distinct[id] as LayoutNode);
    return Object.assign(table, { idOf: (i: number) => ids[i] as number });
  }

  node(id: number): LayoutNode {
    return id < 0 ? (this.#streams[-1 - id] as LayoutNode) : this.#part(id);
  }

  /** The number of `count` copies of a shape. One copy is the shape itself; copies that touch are one dense run. */
  streamOf(id: number, count: number, strideBytes: number): number {
    if (count === 1) return id;
    const byStride = within(within(this.#ids, id), count);
    const known = byStride.get(strideBytes);
    if (known !== undefined) return known;
    this.#streams.push(copies(this.node(id), count, strideBytes));
    const made = -this.#streams.length;
    byStride.set(strideBytes, made);
    return made;
  }
}

function within<Value>(map: Map<number, Map<number, Value>>, key: number): Map<number, Value> {
  const found = map.get(key) ?? new Map<number, Value>();
  map.set(key, found);
  return found;
}

function copies(node: LayoutNode, count: number, strideBytes: number): LayoutNode {
  if (node.kind === "dense" && node.lengthBytes === strideBytes) return dense(count * strideBytes);
  if (node.kind === "stream" && strideBytes === node.count * node.strideBytes) {
    return stream(count * node.count, node.strideBytes, node.child);
  }
  return stream(count, strideBytes, node);
}
