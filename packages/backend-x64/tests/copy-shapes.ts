import { canonicalise, dense, integerTable, layout, stream, type Layout, type LayoutNode } from "@stowage/ir";

export const element = (root: LayoutNode, extentBytes = root.highBytes + 8): Layout =>
  canonicalise(layout(0, root, { lowerBoundBytes: 0, extentBytes }));

/** A matrix by columns of `rows` elements, its rows `pitch` elements apart. */
export const byColumns = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(columns, bytes, stream(rows, pitch * bytes, dense(bytes)));
export const byRows = (rows: number, columns: number, bytes: number, pitch: number): LayoutNode =>
  stream(rows, pitch * bytes, dense(columns * bytes));

export const structs = (count: number, members: number, bytes: number): LayoutNode =>
  stream(members, bytes, stream(count, (members + 1) * bytes, dense(bytes)));
export const arrays = (count: number, members: number, bytes: number): LayoutNode =>
  stream(members, (count + 5) * bytes, dense(count * bytes));

export const shuffled = (count: number, step: number, pitch: number) =>
  integerTable(count, (i) => ((i * step) % count) * pitch);

export type Case = readonly [name: string, source: Layout, target: Layout];
