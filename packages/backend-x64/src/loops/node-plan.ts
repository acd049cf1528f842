/** How all of a node is written where it stands: block by block, by its routine, or as its kind is. */
export interface NodePlan {
  readonly what: "unrolled" | "called" | "inlined";
}
