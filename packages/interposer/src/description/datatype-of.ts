import { DESCRIPTION_KINDS } from "@stowage/backend-api";
import {
  boundsOf,
  contiguous,
  fromContents,
  isPredefinedName,
  predefined,
  resized,
  type Combiner,
  type Datatype,
} from "@stowage/ir";
import { damaged, describedNodes, type DescribedNode } from "./described-nodes.js";

/** Combiners by their numbers in descriptions. */
const COMBINERS = Object.entries(DESCRIPTION_KINDS)
  .toSorted(([, a], [, b]) => a - b)
  .map(([kind]) => `MPI_COMBINER_${kind === "predefined" ? "NAMED" : kind.toUpperCase()}` as Combiner);

/** Fortran's predefined types, each dense: as many bytes as its extent. MPI 4.1, tables 3.1 and 3.3, section 6.9.4. */
const FORTRAN = /^MPI_2?(INTEGER|REAL|DOUBLE_PRECISION|COMPLEX|DOUBLE_COMPLEX|LOGICAL|CHARACTER)\d*$/;

/**
 * The datatype that a description tells of: what describeType of backend-api and runtime/stowage_mpi.h make. Lowered as
 * it is, every node has the bounds that the describing MPI gave it: one whose bounds come out otherwise is wrapped in a
 * resized. Fortran's predefined types become bytes.
 * @throws DatatypeError where the bytes are no description, or tell of a type that has no predefined one inside.
 */
export function datatypeOf(description: Uint8Array): Datatype {
  const made: Datatype[] = [];
  for (const node of describedNodes(description)) made.push(withBounds(node, datatypeOfNode(node, made)));
  const last = made.at(-1);
  if (last === undefined) throw damaged("at least one node", "none");
  return last;
}

function withBounds({ lowerBoundBytes, extentBytes }: DescribedNode, made: Datatype): Datatype {
  const ours = boundsOf(made);
  const same = ours.lowerBoundBytes === lowerBoundBytes && ours.extentBytes === extentBytes;
  return same ? made : resized(lowerBoundBytes, extentBytes, made);
}

function datatypeOfNode(node: DescribedNode, made: readonly Datatype[]): Datatype {
  const combiner = COMBINERS[node.combiner];
  if (combiner === undefined) throw damaged("a known combiner", String(node.combiner));
  if (combiner === "MPI_COMBINER_NAMED") return named(node);
  const datatypes = node.children.map((child) => {
    const known = made[child];
    if (known === undefined) throw damaged("children before their parents", `child ${child} of node ${made.length}`);
    return known;
  });
  return fromContents({ combiner, integers: node.integers, addresses: node.addresses, datatypes });
}

function named({ integers, extentBytes }: DescribedNode): Datatype {
  const name = String.fromCharCode(...integers);
  if (isPredefinedName(name)) return predefined(name);
  if (FORTRAN.test(name)) return contiguous(extentBytes, predefined("MPI_BYTE"));
  throw damaged("predefined types of C or Fortran", JSON.stringify(name));
}
