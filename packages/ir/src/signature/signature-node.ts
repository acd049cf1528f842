import { EMPTY_DIGEST, elementDigest, joinedDigest, repeatedDigest, type Digest } from "./digest.js";

interface NodeFacts {
  /** Basic elements in the sequence. */
  readonly elements: number;
  /** Bytes of those elements. */
  readonly sizeBytes: number;
  readonly digest: Digest;
}

/** One basic element, such as MPI_INT. */
export interface Basic extends NodeFacts {
  readonly kind: "basic";
  readonly name: string;
}

/** `count` copies of a sequence that is itself no repeat; `count` is 2 or more. */
export interface Repeat extends NodeFacts {
  readonly kind: "repeat";
  readonly count: number;
  readonly child: SignatureNode;
}

/** One sequence after another; neither is empty. Long lists are balanced trees of pairs. */
export interface Pair extends NodeFacts {
  readonly kind: "pair";
  readonly first: SignatureNode;
  readonly second: SignatureNode;
}

export interface Empty extends NodeFacts {
  readonly kind: "empty";
}

/** A sequence of basic elements, as an expression: far smaller than the sequence where types are regular. */
export type SignatureNode = Basic | Repeat | Pair | Empty;

export const EMPTY_SIGNATURE: Empty = Object.freeze({
  kind: "empty",
  elements: 0,
  sizeBytes: 0,
  digest: EMPTY_DIGEST,
});

export function basic(name: string, sizeBytes: number): Basic {
  return Object.freeze({ kind: "basic", name, elements: 1, sizeBytes, digest: elementDigest(name) });
}

/** (xᵃ)ᵇ = xᵃᵇ, x¹ = x, x⁰ = the empty sequence. */
export function repeated(count: number, child: SignatureNode): SignatureNode {
  if (count === 0 || child.kind === "empty") return EMPTY_SIGNATURE;
  if (count === 1) return child;
  if (child.kind === "repeat") return repeated(count * child.count, child.child);
  return Object.freeze({
    kind: "repeat",
    count,
    child,
    elements: count * child.elements,
    sizeBytes: count * child.sizeBytes,
    digest: repeatedDigest(child.digest, count),
  });
}

/** Sequences one after another; neighbouring repeats of one node are one repeat: xᵃxᵇ = xᵃ⁺ᵇ. */
export function joined(parts: readonly SignatureNode[]): SignatureNode {
  let row = mergedNeighbours(parts);
  while (row.length > 1) row = pairedUp(row);
  return row[0] ?? EMPTY_SIGNATURE;
}

function mergedNeighbours(parts: readonly SignatureNode[]): readonly SignatureNode[] {
  const runs: { readonly node: SignatureNode; count: number }[] = [];
  for (const part of parts) {
    if (part.kind === "empty") continue;
    const [node, count] = part.kind === "repeat" ? [part.child, part.count] : [part, 1];
    const last = runs.at(-1);
    if (last?.node === node) last.count += count;
    else runs.push({ node, count });
  }
  return runs.map(({ node, count }) => repeated(count, node));
}

function pairedUp(row: readonly SignatureNode[]): readonly SignatureNode[] {
  const next: SignatureNode[] = [];
  for (let i = 0; i + 1 < row.length; i += 2) next.push(pair(row[i] as SignatureNode, row[i + 1] as SignatureNode));
  if (row.length % 2 === 1) next.push(row.at(-1) as SignatureNode);
  return next;
}

function pair(first: SignatureNode, second: SignatureNode): Pair {
  return Object.freeze({
    kind: "pair",
    first,
    second,
    elements: first.elements + second.elements,
    sizeBytes: first.sizeBytes + second.sizeBytes,
    digest: joinedDigest(first.digest, second.digest),
  });
}
