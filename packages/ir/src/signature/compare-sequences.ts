import { sameDigest } from "./digest.js";
import { interned } from "./interned.js";
import { pathTo, type Path, type Step } from "./path-to.js";
import { prefixDigest } from "./prefix-digest.js";
import type { SignatureNode } from "./signature-node.js";

const MOST_STEPS = 2 ** 16;

/** What comparing two sequences found. */
export interface Comparison {
  /** The first position at which they differ; undefined where they agree. */
  readonly differsAt: number | undefined;
  /** Whether the answer is proven. Only agreement may be unproven: then a hash of about 104 bits vouches for it. */
  readonly exact: boolean;
}

/**
 * Compares the first `length` elements of two sequences, which both have that many.
 *
 * A difference is always proven: the elements at the position are not the same. Agreement is proven by a walk that
 * skips what both share and what periods imply. It gives up after `mostSteps`, which only expressions do that nest
 * a dozen repeats in unlike groupings.
 */
export function compareSequences(
  a: SignatureNode,
  b: SignatureNode,
  length: number,
  mostSteps = MOST_STEPS,
): Comparison {
  if (sameDigest(prefixDigest(a, length), prefixDigest(b, length))) return walk(a, b, length, mostSteps);
  let agree = 0;
  let differ = length;
  while (differ - agree > 1) {
    const middle = agree + Math.floor((differ - agree) / 2);
    if (sameDigest(prefixDigest(a, middle), prefixDigest(b, middle))) agree = middle;
    else differ = middle;
  }
  return { differsAt: agree, exact: true };
}

/** Once `at` is reached with all before it equal, everything up to `jumpTo` is known to be equal. */
interface Proof {
  readonly at: number;
  readonly jumpTo: number;
}

function walk(a: SignatureNode, b: SignatureNode, length: number, mostSteps: number): Comparison {
  const ids = interned(a, b);
  const proofs: Proof[] = [];
  let position = 0;
  for (let steps = 0; position < length && steps < mostSteps; steps++) {
    const open = proofs.at(-1);
    if (open !== undefined && position >= open.at) {
      proofs.pop();
      position = open.jumpTo;
      continue;
    }
    const limit = open?.at ?? length;
    const pathA = pathTo(a, position);
    const pathB = pathTo(b, position);
    const sharedEnd = Math.min(limit, endOfSharedNode(pathA, pathB, position, ids));
    const proof = periodicProof(pathA, pathB, position, limit);
    if (proof !== undefined && proof.jumpTo > sharedEnd) proofs.push(proof);
    else if (sharedEnd > position) position = sharedEnd;
    else if (pathA.element.name !== pathB.element.name) return { differsAt: position, exact: true };
    else position = Math.min(limit, pathA.runEnd, pathB.runEnd);
  }
  return { differsAt: undefined, exact: position >= length };
}

/** The end of the largest node that both sequences enter at this position; the position itself where there is none. */
function endOfSharedNode(pathA: Path, pathB: Path, position: number, ids: ReadonlyMap<SignatureNode, number>): number {
  const entered = new Set(stepsFrom(pathA, position).map(({ node }) => ids.get(node)));
  const shared = stepsFrom(pathB, position).find(({ node }) => entered.has(ids.get(node)));
  return shared === undefined ? position : position + shared.node.elements;
}

const stepsFrom = ({ steps }: Path, position: number): readonly Step[] =>
  steps.filter(({ start }) => start === position);

/**
 * Fine and Wilf (1965): two sequences of periods p and q that agree on p + q elements agree for as long as both keep
 * their periods. The proof that skips most, where one skips anything.
 */
function periodicProof(pathA: Path, pathB: Path, position: number, limit: number): Proof | undefined {
  let best: Proof | undefined;
  for (const x of periods(pathA)) {
    for (const y of periods(pathB)) {
      const at = position + x.period + y.period;
      const jumpTo = Math.min(x.end, y.end, limit);
      if (jumpTo - at > (best === undefined ? 0 : best.jumpTo - best.at)) best = { at, jumpTo };
    }
  }
  return best;
}

function periods({ steps }: Path): readonly { readonly period: number; readonly end: number }[] {
  const found: { readonly period: number; readonly end: number }[] = [];
  for (const { node, start } of steps) {
    if (node.kind === "repeat") found.push({ period: node.child.elements, end: start + node.elements });
  }
  return found;
}
