import { EMPTY_DIGEST, joinedDigest, repeatedDigest, type Digest } from "./digest.js";
import type { SignatureNode } from "./signature-node.js";

/** The digest of the first `length` elements of a sequence. O(depth + log of the counts on the way). */
export function prefixDigest(root: SignatureNode, length: number): Digest {
  let digest = EMPTY_DIGEST;
  let node = root;
  let rest = length;
  while (rest > 0) {
    if (rest === node.elements) return joinedDigest(digest, node.digest);
    if (node.kind === "repeat") {
      const whole = Math.floor(rest / node.child.elements);
      digest = joinedDigest(digest, repeatedDigest(node.child.digest, whole));
      rest -= whole * node.child.elements;
      node = node.child;
    } else if (node.kind === "pair") {
      const { first, second } = node;
      if (rest >= first.elements) {
        digest = joinedDigest(digest, first.digest);
        rest -= first.elements;
        node = second;
      } else {
        node = first;
      }
    } else {
      throw new RangeError(`prefix of a signature: expected at most ${node.elements} elements, got ${rest}`);
    }
  }
  return digest;
}
