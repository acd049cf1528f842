import type { Darray, Datatype } from "../datatype/datatype.js";
import { dimensionShares } from "../datatype/dimension-share.js";
import { PREDEFINED_NAMES, predefinedFacts, type PredefinedName } from "../datatype/predefined-table.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import type { IntegerTable } from "../integer-table.js";
import { digestText } from "./digest.js";
import { basic, joined, repeated, type Basic, type SignatureNode } from "./signature-node.js";
import type { Signature } from "./signature.js";
import { requireDatatype } from "../datatype/require-datatype.js";

/**
 * The type signature of one element of a datatype. O(nodes + list entries): nothing is expanded, whatever the counts.
 * Synonyms (MPI_LONG_LONG) are one type; pair types are their two entries. MPI 4.1, section 5.1.
 * @throws DatatypeError where `datatype` was made by no builder.
 */
export function signatureOf(datatype: Datatype): Signature {
  requireDatatype(datatype);
  const known = new Map<Datatype, SignatureNode>();
  const signatureOfChild = (child: Datatype): SignatureNode => known.get(child) as SignatureNode;
  visitPostOrder(
    datatype,
    (node) => known.has(node),
    (node) => known.set(node, nodeSignature(node, signatureOfChild)),
  );
  return signature(signatureOfChild(datatype));
}

export function signature(root: SignatureNode): Signature {
  const { elements, sizeBytes, digest } = root;
  return Object.freeze({ elements, sizeBytes, hash: digestText(digest), root });
}

const basics: ReadonlyMap<string, Basic> = new Map(
  PREDEFINED_NAMES.flatMap((name) => predefinedFacts(name).entries).map((entry) => [
    entry.basic,
    basic(entry.basic, entry.lengthBytes),
  ]),
);

const predefinedSignature = (name: PredefinedName): SignatureNode =>
  joined(predefinedFacts(name).entries.map((entry) => basics.get(entry.basic) as Basic));

function nodeSignature(type: Datatype, signatureOfChild: (child: Datatype) => SignatureNode): SignatureNode {
  switch (type.kind) {
    case "predefined":
      return predefinedSignature(type.name);
    case "struct":
      return joined(type.children.map((child, i) => repeated(type.blocklengths[i] as number, signatureOfChild(child))));
    case "contiguous":
      return repeated(type.count, signatureOfChild(type.child));
    case "vector":
    case "hvector":
      return repeated(type.count * type.blocklength, signatureOfChild(type.child));
    case "indexed":
    case "hindexed":
      return repeated(sum(type.blocklengths), signatureOfChild(type.child));
    case "indexed_block":
      return repeated(type.displacements.length * type.blocklength, signatureOfChild(type.child));
    case "hindexed_block":
      return repeated(type.displacementsBytes.length * type.blocklength, signatureOfChild(type.child));
    case "subarray":
      return repeated(product(type.subsizes), signatureOfChild(type.child));
    case "darray":
      return repeated(elementsOfShare(type), signatureOfChild(type.child));
    case "resized":
    case "dup":
      return signatureOfChild(type.child);
  }
}

function sum(table: IntegerTable): number {
  let total = 0;
  for (let i = 0; i < table.length; i++) total += table[i] as number;
  return total;
}

const product = (factors: readonly number[]): number => factors.reduce((total, factor) => total * factor, 1);

function elementsOfShare(share: Darray): number {
  return product(dimensionShares(share).map((along) => along.fullBlocks * along.blockElements + along.lastElements));
}
