import { nodeStatistics, type LayoutNode } from "@stowage/ir";

/** Entries of tables that are not worth writing twice. */
const MOST_ENTRIES = 4096;

/**
 * Whether first calls, which are of whole elements mostly, get code of their own: a third of a program's, and as much
 * of its commit.
 */
export const hasFirstCalls = (node: LayoutNode): boolean => nodeStatistics(node).tableEntries <= MOST_ENTRIES;
