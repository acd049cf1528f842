import { OPERATION_NAMES, reductionOfBasic, type Operation, type Reduction } from "@stowage/backend-api";
import { isPredefinedName, type PredefinedName, type SignatureNode } from "@stowage/ir";
import type { Accumulation } from "@stowage/mpi-abi";
import type { BridgeType } from "../../message/datatype/bridge-type.js";

const OPERATION_OF: Readonly<Partial<Record<Accumulation, Operation>>> = Object.fromEntries(
  OPERATION_NAMES.map((name) => [name.slice("MPI_".length).toLowerCase(), name]),
);

/**
 * What an unpack of a datatype combines by itself; undefined where only the MPI does: pairs, long doubles, elements of
 * several basic types, operations that replace or do nothing.
 */
export function moveOfOperation(op: Accumulation, { signature: { root } }: BridgeType): Reduction | undefined {
  const name = OPERATION_OF[op];
  const only = root.kind === "repeat" ? root.child : root;
  return name === undefined || only.kind !== "basic" ? undefined : reductionOfBasic(name, only.name);
}

/** The basic type that a datatype is made of. */
export const basicNameOf = ({ signature: { root } }: BridgeType): PredefinedName => nameIn(root);

function nameIn(node: SignatureNode): PredefinedName {
  if (node.kind === "repeat") return nameIn(node.child);
  return node.kind === "basic" && isPredefinedName(node.name) ? node.name : "MPI_BYTE";
}
