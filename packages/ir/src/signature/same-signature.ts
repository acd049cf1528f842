import { compareSequences } from "./compare-sequences.js";
import { requireSignature, type Signature } from "./signature.js";

/**
 * Whether two signatures are one sequence of basic types, however they were built: contiguous(2, contiguous(3, T))
 * equals contiguous(6, T). "No" is always exact. "Yes" is too, but for expressions that nest a dozen repeats in unlike
 * groupings: there a hash of about 104 bits decides.
 * @throws ArgumentError where one is no signature.
 */
export function sameSignature(a: Signature, b: Signature): boolean {
  requireSignature(a);
  requireSignature(b);
  if (a.elements !== b.elements || a.hash !== b.hash) return false;
  return compareSequences(a.root, b.root, a.elements).differsAt === undefined;
}
