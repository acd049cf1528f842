import {
  childrenOf,
  hindexed,
  lower,
  predefined,
  runs,
  visitPostOrder,
  type Datatype,
  withChildren,
} from "@stowage/ir";
import { simplerArguments } from "./simpler-arguments.js";

const BYTE = predefined("MPI_BYTE");

const isByte = (type: Datatype): boolean => type.kind === "predefined" && type.name === BYTE.name;

/**
 * Datatypes a step smaller, the smallest first: a byte, what the datatype is made of, its bytes in one hindexed, its
 * constructor around bytes, then around the same child with simpler arguments, then around smaller children. No chain
 * of steps goes on for ever: each makes constructors fewer, another leaf a byte, or an argument nearer to where it
 * ends.
 */
export function* smallerDatatypes(type: Datatype): Generator<Datatype> {
  if (isByte(type)) return;
  yield BYTE;
  yield* partsOf(type);
  yield* asByteRuns(type);
  yield* aroundBytes(type);
  yield* simplerArguments(type);
  const children = childrenOf(type);
  for (const [i, child] of children.entries()) {
    for (const smaller of smallerDatatypes(child))
      if (smaller !== BYTE) yield withChildren(type, children.with(i, smaller));
  }
}

/** Everything that a datatype is made of, each once, the parts of a part before it. */
function partsOf(type: Datatype): readonly Datatype[] {
  const parts = new Set<Datatype>();
  for (const child of childrenOf(type)) {
    visitPostOrder(
      child,
      (part) => parts.has(part),
      (part) => parts.add(part),
    );
  }
  return [...parts].filter((part) => !isByte(part));
}

/** Gives one constructor that moves the datatype's bytes in their order, where the datatype has more constructors. */
function* asByteRuns(type: Datatype): Generator<Datatype> {
  if (childrenOf(type).every((child) => child.kind === "predefined")) return;
  const layout = lower(type);
  const met = [...runs(layout, { count: 1, first: 0, length: layout.sizeBytes })];
  yield hindexed(
    met.map(({ lengthBytes }) => lengthBytes),
    met.map(({ offsetBytes }) => offsetBytes),
    BYTE,
  );
}

function* aroundBytes(type: Datatype): Generator<Datatype> {
  const children = childrenOf(type);
  const others = [...children.keys()].filter((i) => !isByte(children[i] as Datatype));
  if (others.length > 1)
    yield withChildren(
      type,
      children.map(() => BYTE),
    );
  for (const i of others) yield withChildren(type, children.with(i, BYTE));
}
