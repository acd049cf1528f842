import { firstDifference } from "./first-difference.js";
import type { Signature } from "./signature.js";

/**
 * Whether two signatures are one sequence of basic types, however they were built: contiguous(2, contiguous(3, T))
 * equals contiguous(6, T). "No" is always exact; for "yes" see `firstDifference`: exact but for expressions whose
 * comparison takes more than 2^18 steps, where a hash of about 104 bits decides.
 */
export function sameSignature(a: Signature, b: Signature): boolean {
  if (a.elements !== b.elements || a.hash !== b.hash) return false;
  return firstDifference(a.root, b.root, a.elements) === undefined;
}
