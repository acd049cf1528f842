import type { SignatureNode } from "./signature-node.js";
import { requireNatural } from "../safe-integer.js";
import { requireSignature, type Signature } from "./signature.js";

/**
 * The exact form of a signature in one line, such as `3 × (MPI_DOUBLE, 2 × MPI_INT)`; past `most` names it ends in
 * "...".
 * @throws ArgumentError where `signature` is none.
 */
export function printSignature(signature: Signature, most = 64): string {
  const { root } = requireSignature(signature);
  requireNatural(most, "names to print");
  const parts: string[] = [];
  const stack: (string | SignatureNode)[] = [root];
  let names = 0;
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === "string") {
      parts.push(item);
    } else if (item.kind === "repeat") {
      parts.push(`${item.count} × `);
      if (item.child.kind === "pair") stack.push(")", item.child, "(");
      else stack.push(item.child);
    } else if (item.kind === "pair") {
      stack.push(item.second, ", ", item.first);
    } else {
      parts.push(item.kind === "basic" ? item.name : "nothing");
      if (++names >= most && stack.length > 0) return `${parts.join("")}, ...`;
    }
  }
  return parts.join("");
}
