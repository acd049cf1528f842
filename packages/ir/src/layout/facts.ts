/** What every layout node knows of itself; computed once, from its children's facts, when it is made. */
export interface LayoutFacts {
  /** Bytes that the node moves: the length of its packed stream. */
  readonly sizeBytes: number;
  /** Lowest byte offset that the node touches, relative to the node's own zero. 0 when it is empty. */
  readonly lowBytes: number;
  /** One past the highest byte offset that the node touches. 0 when it is empty. */
  readonly highBytes: number;
  /** Dense runs that a walk over the node meets. Neighbouring runs that happen to touch count apart. */
  readonly blockCount: number;
  /** Levels of nodes from here down, this one included. */
  readonly depth: number;
}

export const EMPTY_FACTS: LayoutFacts = Object.freeze({
  sizeBytes: 0,
  lowBytes: 0,
  highBytes: 0,
  blockCount: 0,
  depth: 1,
});
