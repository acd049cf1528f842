import type { LayoutNode } from "@stowage/ir";
import type { Rule } from "../loops/rule.js";
import type { Pair } from "./pair.js";

/** Two nodes of one size. */
export interface PairedNodes {
  readonly source: LayoutNode;
  readonly target: LayoutNode;
}

/** How two layouts are walked together: as one tree, or each by itself, a buffer between them. */
export type Pairing = { readonly what: "paired"; readonly pair: Pair } | { readonly what: "through a buffer" };

export type PairingRule = Rule<PairedNodes, Pairing>;
