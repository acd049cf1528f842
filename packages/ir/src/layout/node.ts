import type { Blocks } from "./blocks.js";
import type { Dense } from "./dense.js";
import type { Sequence } from "./sequence.js";
import type { Stream } from "./stream.js";

/**
 * A piece of a layout, free of any position: its parent says where its zero lies. Nodes are immutable and may be
 * shared, so a layout is a directed acyclic graph; walks keep an explicit stack and recurse on nothing.
 */
export type LayoutNode = Dense | Stream | Blocks | Sequence;
