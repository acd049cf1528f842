import type { LayoutNode } from "@stowage/ir";
import type { ModePlan } from "../loops/mode-plan.js";
import type { Assembly } from "./assembly.js";
import { Emitter, type Limits, type Offsets } from "./emitter.js";

/** Writes all of a node, whose zero and first packed byte lie at `offsets`. */
export type EmitNode = (e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits) => void;

/**
 * Writes a routine of a layout. How a node is written is given to it: nodes hold streams and blocks, and these hold
 * nodes.
 */
export class NodeEmitter extends Emitter {
  readonly #emitNode: EmitNode;

  constructor(emitNode: EmitNode, assembly: Assembly, plan: ModePlan) {
    super(assembly, plan);
    this.#emitNode = emitNode;
  }

  node(node: LayoutNode, offsets: Offsets, limits: Limits): void {
    this.#emitNode(this, node, offsets, limits);
  }
}
