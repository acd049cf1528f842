import type { LayoutNode } from "@stowage/ir";
import type { Tuning } from "../options.js";
import { Emitter, type Limits, type Offsets } from "./emitter.js";
import type { Isa } from "./isa.js";

/** Writes all of a node, whose zero and first packed byte lie at `offsets`. */
export type EmitNode = (e: NodeEmitter, node: LayoutNode, offsets: Offsets, limits: Limits) => void;

/** The lowering of one layout. How a node is written is given to it: nodes hold streams and blocks, and these hold nodes. */
export class NodeEmitter extends Emitter {
  readonly #emitNode: EmitNode;

  constructor(emitNode: EmitNode, isa: Isa, tuning: Tuning, direction: "pack" | "unpack", listing: boolean) {
    super(isa, tuning, direction, listing);
    this.#emitNode = emitNode;
  }

  node(node: LayoutNode, offsets: Offsets, limits: Limits): void {
    this.#emitNode(this, node, offsets, limits);
  }
}
