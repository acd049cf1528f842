import {
  ArgumentError,
  isDatatype,
  printSignature,
  quoted,
  requireLayout,
  signatureOf,
  type Datatype,
  type Layout,
  type SignatureNode,
} from "@stowage/ir";
import { basicElement, ELEMENT_NAMES, ELEMENTS, type Element } from "./elements.js";
import { OPERATION_NAMES, OPERATIONS, type Operation } from "./operations.js";

/** What a reducing move does to its target's elements, and what those are: layouts know bytes only. */
export interface Reduction {
  /** The operation. */
  readonly op: Operation;
  /** The element that every run of the target is made of. */
  readonly element: Element;
}

/** The operations that an unpack takes by name: those of a reduction, and MPI_REPLACE, which every unpack is. */
type NamedOperation = Operation | "MPI_REPLACE";
/** An operation's short name, as communicators of @stowage/mpi-bridge call them: "sum" is MPI_SUM. */
type ShortOperation = NamedOperation extends infer Name
  ? Name extends `MPI_${infer Rest}`
    ? Lowercase<Rest>
    : never
  : never;
/**
 * An operation that an unpack takes by name: that of a reduction, or MPI_REPLACE, which overwrites. "sum" is short for
 * "MPI_SUM".
 */
export type UnpackOperation = NamedOperation | ShortOperation;
const NAMED: readonly NamedOperation[] = Object.freeze([...OPERATION_NAMES, "MPI_REPLACE"]);
const BY_NAME: ReadonlyMap<string, NamedOperation> = new Map(
  NAMED.flatMap((name) => [[name, name] as const, [name.slice("MPI_".length).toLowerCase(), name] as const]),
);
/** All names of operations that an unpack takes: "MPI_SUM" and "sum", and so on. */
export const UNPACK_OPERATIONS: readonly UnpackOperation[] = Object.freeze([...BY_NAME.keys()] as UnpackOperation[]);

/** Returns the reduction. Throws an ArgumentError where it is none, or its operation is not defined for the element. */
export function requireReduction(value: Reduction): Reduction {
  const given: Partial<Reduction> | null = typeof value === "object" ? value : null;
  const { op, element } = given ?? {};
  if (typeof op !== "string" || !Object.hasOwn(OPERATIONS, op))
    throw new ArgumentError("operation of a reduction", `one of ${OPERATION_NAMES.join(", ")}`, quoted(op));
  if (typeof element !== "string" || !Object.hasOwn(ELEMENTS, element))
    throw new ArgumentError("element of a reduction", `one of ${ELEMENT_NAMES.join(", ")}`, quoted(element));
  if (isDefinedFor(op, element)) return value;
  throw new ArgumentError(
    `element of ${op}`,
    ELEMENT_NAMES.filter((each) => isDefinedFor(op, each)).join(", "),
    element,
  );
}

/** Whether MPI defines an operation for an element (MPI 4.1, section 6.9.2). */
export const isDefinedFor = (op: Operation, element: Element): boolean =>
  OPERATIONS[op].kinds.includes(ELEMENTS[element].kind);

/** The unit of a move's ranges in bytes: one element for a reducing move, one byte for any other. */
export const wholeBytesOf = (reduction: Reduction | undefined): number =>
  reduction === undefined ? 1 : ELEMENTS[reduction.element].sizeBytes;

/**
 * The reduction of an unpack of a datatype, or of a layout whose `element` is given, with an operation; undefined where
 * that is a plain unpack (MPI_REPLACE, and types of no bytes). The datatype must be made of one basic type, as
 * MPI_Accumulate asks it to be (MPI 4.1, section 12.3.4). Throws an ArgumentError where it is not, where the operation
 * is unknown or not defined for the element, where a layout comes without an element, and where a datatype comes with
 * one.
 *
 * @example
 * ```ts
 * reductionOf("sum", vector(4, 1, 5, DOUBLE)); // { op: "MPI_SUM", element: "float64" }
 * ```
 */
export function reductionOf(given: UnpackOperation, type: Datatype | Layout, element?: Element): Reduction | undefined {
  const op = BY_NAME.get(given);
  if (op === undefined)
    throw new ArgumentError("operation of an unpack", `one of ${NAMED.join(", ")}, or sum for MPI_SUM`, quoted(given));
  if (op === "MPI_REPLACE") return undefined;
  if (!isDatatype(type)) return reductionOfLayout(op, type, element);
  if (element !== undefined) throw new ArgumentError(`element of ${op}`, "none beside a datatype", quoted(element));
  return reductionOfDatatype(op, type);
}

function reductionOfLayout(op: Operation, layout: Layout, element: Element | undefined): Reduction | undefined {
  if (element === undefined)
    throw new ArgumentError(`type of ${op}`, "a datatype, or an element beside it", "a layout, which knows bytes only");
  const reduction = requireReduction(Object.freeze({ op, element }));
  return requireLayout(layout).sizeBytes === 0 ? undefined : reduction;
}

function reductionOfDatatype(op: Operation, type: Datatype): Reduction | undefined {
  const signature = signatureOf(type);
  if (signature.elements === 0) return undefined;
  const name = onlyBasic(signature.root);
  const got = (): string => printSignature(signature, MOST_NAMES);
  if (name === undefined) throw new ArgumentError(`elements of ${op}`, "one basic type", got());
  const reduction = reductionOfBasic(op, name);
  if (reduction !== undefined) return reduction;
  const groups = `a basic type of ${OPERATIONS[op].groups.join(", ")}`;
  const expected = name.includes("LONG_DOUBLE")
    ? `${groups}, but none of long doubles, which moves do not reduce`
    : groups;
  throw new ArgumentError(`elements of ${op}`, expected, name);
}

/**
 * The reduction of elements of a basic type, by its MPI name such as "MPI_DOUBLE"; undefined where MPI defines none, or
 * moves do not reduce the type.
 */
export function reductionOfBasic(op: Operation, name: string): Reduction | undefined {
  const [group, element] = basicElement(name) ?? [];
  if (group === undefined || element === undefined || !OPERATIONS[op].groups.includes(group)) return undefined;
  return Object.freeze({ op, element });
}

/** Signatures are told up to so many basic types. */
const MOST_NAMES = 8;

function onlyBasic(node: SignatureNode): string | undefined {
  if (node.kind === "repeat") return onlyBasic(node.child);
  return node.kind === "basic" ? node.name : undefined;
}
