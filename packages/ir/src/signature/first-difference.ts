import { sameDigest } from "./digest.js";
import { interned } from "./interned.js";
import { pathTo, type Path, type Step } from "./path-to.js";
import { prefixDigest } from "./prefix-digest.js";
import type { SignatureNode } from "./signature-node.js";

/** Steps of the exact walk before the hash alone decides. */
const MOST_STEPS = 2 ** 18;

/**
 * The first position below `length` at which two sequences differ; undefined where they agree. Both have at least
 * `length` elements.
 *
 * That they differ is always exact: the elements at the position are compared. That they agree is exact as long as
 * the walk of regular stretches ends within 2^18 steps; beyond, it rests on a hash of about 104 bits.
 */
export function firstDifference(a: SignatureNode, b: SignatureNode, length: number): number | undefined {
  if (sameDigest(prefixDigest(a, length), prefixDigest(b, length))) return walk(a, b, length);
  let agree = 0;
  let differ = length;
  while (differ - agree > 1) {
    const middle = agree + Math.floor((differ - agree) / 2);
    if (sameDigest(prefixDigest(a, middle), prefixDigest(b, middle))) agree = middle;
    else differ = middle;
  }
  return agree;
}

/** Once `at` is reached with all before it equal, everything up to `jumpTo` is known to be equal. */
interface Proof {
  readonly at: number;
  readonly jumpTo: number;
}

function walk(a: SignatureNode, b: SignatureNode, length: number): number | undefined {
  const ids = interned(a, b);
  const proofs: Proof[] = [];
  let position = 0;
  for (let steps = 0; position < length && steps < MOST_STEPS; steps++) {
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
    if (sharedEnd > position) position = sharedEnd;
    else if (proof !== undefined) proofs.push(proof);
    else if (pathA.element.name !== pathB.element.name) return position;
    else position = Math.min(limit, pathA.runEnd, pathB.runEnd);
  }
  return undefined;
}

/** The end of the largest node that both sequences enter at this position; the position itself where there is none. */
function endOfSharedNode(
  pathA: Path,
  pathB: Path,
  position: number,
  ids: ReadonlyMap<SignatureNode, number>,
): number {
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
