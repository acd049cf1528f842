import type { BoundsMemo } from "../bounds/bounds-memo.js";

/** What every datatype carries besides the arguments of its constructor. */
export interface DatatypeNode {
  /** Bounds that were computed already; ask boundsOf for them. */
  readonly memo: BoundsMemo;
}
