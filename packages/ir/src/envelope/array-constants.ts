import type { Distribution } from "../datatype/distribution.js";
import type { Order } from "../datatype/order.js";
import { requireObject } from "../checks/require-argument.js";

/**
 * The integers that stand for orders and distributions in the contents of subarray and darray. The standard leaves
 * them to each MPI: who reads a real MPI's contents passes that MPI's.
 */
export interface ArrayConstants {
  /** MPI_ORDER_C and MPI_ORDER_FORTRAN. */
  readonly orders: Readonly<Record<Order, number>>;
  /** MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC and MPI_DISTRIBUTE_NONE. */
  readonly distributions: Readonly<Record<Distribution, number>>;
  /** MPI_DISTRIBUTE_DFLT_DARG. */
  readonly defaultDarg: number;
}

/** Throws an ArgumentError where plain JavaScript handed over something else. */
export function requireConstants(constants: ArrayConstants): void {
  const expected = "an object of orders, distributions, defaultDarg";
  requireObject(constants, "array constants", expected);
  requireObject(constants.orders, "orders of array constants", "an object of C, F");
  requireObject(constants.distributions, "distributions of array constants", "an object of block, cyclic, none");
}

/** The constants that are used unless an MPI's are given: numbers in the standard's order; no real MPI is meant. */
export const ARRAY_CONSTANTS: ArrayConstants = Object.freeze({
  orders: Object.freeze({ C: 0, F: 1 }),
  distributions: Object.freeze({ block: 0, cyclic: 1, none: 2 }),
  defaultDarg: -1,
});
