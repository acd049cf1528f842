import { boundsOf, resized, visitPostOrder, type BoundsOptions, type BoundsRule, type Datatype } from "@stowage/ir";
import { requireMpi, type Mpi } from "../mpi.js";
import { construct, type HandleOf } from "./construct.js";
import { constructSafely } from "./construct-safely.js";
import type { Derived } from "./derived.js";
import { freeHandle, MpiDatatype } from "./mpi-datatype.js";
import { predefinedHandle } from "./predefined-handle.js";
import { typeBounds } from "./type-bounds.js";

/**
 * Makes a datatype in the MPI and commits it. Its bounds, and those of every datatype inside, are what ir computes with
 * the same `bounds`, mpi.bounds unless given: where the MPI computes others, a resized datatype takes their place;
 * and where the MPI is known to make a datatype wrongly, another constructor makes it.
 * Shared children are made once, and depth costs no native stack.
 * Throws a MpiError where the MPI refuses, and a MpiLibraryError where it cannot express the datatype.
 */
export function exportDatatype(mpi: Mpi, datatype: Datatype, options: BoundsOptions = {}): MpiDatatype {
  boundsOf(datatype, options); // refuses what are no options
  const { bounds = requireMpi(mpi).bounds } = options;
  const make: Make = (node, handleOf) => withOurBounds(mpi, node, constructSafely(mpi, node, handleOf, bounds), bounds);
  const made = build(mpi, datatype, make);
  try {
    return made.commit();
  } catch (error) {
    made[Symbol.dispose]();
    throw error;
  }
}

/**
 * Makes a datatype in the MPI by its constructors alone, uncommitted, with whatever bounds the MPI gives it. Throws as
 * exportDatatype does.
 */
export function constructDatatype(mpi: Mpi, datatype: Datatype): MpiDatatype {
  return build(mpi, datatype, (node, handleOf) => construct(mpi, node, handleOf));
}

/** The handle of a node, from its children's. */
type Make = (node: Derived, handleOf: HandleOf) => number;

function build(mpi: Mpi, datatype: Datatype, make: Make): MpiDatatype {
  requireMpi(mpi);
  boundsOf(datatype); // refuses what is no datatype
  const made = new Map<Datatype, number>();
  const handleOf: HandleOf = (child) => made.get(child) as number;
  try {
    visitPostOrder(
      datatype,
      (node) => made.has(node),
      (node) => made.set(node, handleFor(mpi, node, handleOf, make)),
    );
    const root = new MpiDatatype(mpi, handleOf(datatype), datatype.kind !== "predefined");
    made.delete(datatype);
    return root;
  } finally {
    for (const [node, handle] of made) if (node.kind !== "predefined") freeHandle(mpi, handle);
  }
}

function handleFor(mpi: Mpi, node: Datatype, handleOf: HandleOf, make: Make): number {
  if (node.kind === "predefined") return predefinedHandle(mpi, node.name);
  return make(node, handleOf);
}

function withOurBounds(mpi: Mpi, node: Datatype, handle: number, bounds: BoundsRule): number {
  const { lowerBoundBytes, extentBytes } = boundsOf(node, { bounds });
  const theirs = typeBounds(mpi, handle);
  if (theirs.lowerBoundBytes === lowerBoundBytes && theirs.extentBytes === extentBytes) return handle;
  try {
    return construct(mpi, resized(lowerBoundBytes, extentBytes, node), () => handle);
  } finally {
    freeHandle(mpi, handle);
  }
}
