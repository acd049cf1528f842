import { DatatypeError } from "../errors.js";
import { quoted } from "../checks/quoted.js";

/** Which dimension of an array is contiguous: the last ("C", MPI_ORDER_C) or the first ("F", MPI_ORDER_FORTRAN). */
export type Order = "C" | "F";

export function requireOrder(order: Order): Order {
  if (order === "C" || order === "F") return order;
  throw new DatatypeError({ path: "order", subject: "order of array", expected: '"C" or "F"', got: quoted(order) });
}

/** The dimensions of an array from the fastest varying to the slowest. */
export function dimensionsFromFastest(dimensions: number, order: Order): readonly number[] {
  return Array.from({ length: dimensions }, (_, i) => (order === "F" ? i : dimensions - 1 - i));
}
