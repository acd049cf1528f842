import { boundsOf } from "../bounds/bounds-of.js";
import type { Datatype } from "./datatype.js";

/** Freezes a new node and computes its bounds once, so that every datatype there is has them within safe integers. */
export function sealed<T extends Datatype>(node: T): T {
  Object.freeze(node);
  boundsOf(node);
  return node;
}
