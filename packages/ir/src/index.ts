export { DatatypeError, type DatatypeErrorDetails } from "./errors.js";
export { integerTable, type IntegerTable } from "./integer-table.js";
export { blocks, uniformBlocks, type Blocks } from "./layout/blocks.js";
export { dense, EMPTY, type Dense } from "./layout/dense.js";
export type { LayoutFacts } from "./layout/facts.js";
export { denseLayout, isDenseLayout, layout, repeat, type Layout, type LayoutBounds } from "./layout/layout.js";
export type { LayoutNode } from "./layout/node.js";
export { sequence, type Member, type Sequence } from "./layout/sequence.js";
export { stream, type Stream } from "./layout/stream.js";
