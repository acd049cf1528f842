import type { ElementKind, TypeGroup } from "./elements.js";

/**
 * What an operation makes of an element that arrives (s, of the packed stream) and the one that is there (t, of the
 * target): the target's new value. MPI 4.1, section 6.9.2, defines the operations and the groups of types.
 */
export interface OperationFacts {
  /** The target's new value, as an expression of C in s and t. */
  readonly meaning: string;
  /** The groups of MPI's basic types that the operation is defined for. */
  readonly groups: readonly TypeGroup[];
  /** The kinds of elements that the operation is defined for. */
  readonly kinds: readonly ElementKind[];
}

const ORDERED = { groups: ["C integer", "floating point", "multi-language"], kinds: ["signed", "unsigned", "float"] };
const ARITHMETIC = { groups: [...ORDERED.groups, "complex"], kinds: [...ORDERED.kinds, "complex"] };
const LOGICAL = { groups: ["C integer", "logical"], kinds: ["signed", "unsigned", "boolean"] };
const BITWISE = { groups: ["C integer", "byte", "multi-language"], kinds: ["signed", "unsigned", "byte"] };

const operation = (meaning: string, { groups, kinds }: { groups: readonly string[]; kinds: readonly string[] }) =>
  Object.freeze({ meaning, groups: groups as readonly TypeGroup[], kinds: kinds as readonly ElementKind[] });

/**
 * The operations of a reducing move, by their MPI names: MPI's predefined ones, but for MPI_MINLOC and MPI_MAXLOC (of
 * pairs), MPI_REPLACE (a plain unpack) and MPI_NO_OP (nothing). Where MPI is silent, these rules hold:
 *
 * - a NaN that arrives is no maximum and no minimum, and one that is there stays;
 * - of zeros that differ in sign alone the one that is there stays;
 * - integers wrap around;
 * - a complex product is (ac - bd) + (ad + bc)i, each step rounded;
 * - which NaN a sum or product is, is not defined;
 * - results of logical operations are 0 or 1.
 */
export const OPERATIONS = Object.freeze({
  MPI_MAX: operation("s > t ? s : t", ORDERED),
  MPI_MIN: operation("s < t ? s : t", ORDERED),
  MPI_SUM: operation("s + t", ARITHMETIC),
  MPI_PROD: operation("s * t", ARITHMETIC),
  MPI_LAND: operation("s != 0 && t != 0", LOGICAL),
  MPI_LOR: operation("s != 0 || t != 0", LOGICAL),
  MPI_LXOR: operation("(s != 0) != (t != 0)", LOGICAL),
  MPI_BAND: operation("s & t", BITWISE),
  MPI_BOR: operation("s | t", BITWISE),
  MPI_BXOR: operation("s ^ t", BITWISE),
}) satisfies Readonly<Record<string, OperationFacts>>;

/** An operation of reductions, by its MPI name. */
export type Operation = keyof typeof OPERATIONS;
/** The names of all operations. */
export const OPERATION_NAMES: readonly Operation[] = Object.freeze(Object.keys(OPERATIONS) as Operation[]);
