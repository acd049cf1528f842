import type { Operation } from "@stowage/backend-api";

/** The new value of a target's element: of the one that arrives and the one that is there. */
export type Combine<Value> = (arriving: Value, there: Value) => Value;

type OfIntegers = Readonly<Record<Operation, Combine<number>>>;

/** Integers of up to 32 bits are combined so; stores cut the result to the element's bits. */
export const OF_INTEGERS: OfIntegers = {
  MPI_MAX: (s, t) => (s > t ? s : t),
  MPI_MIN: (s, t) => (s < t ? s : t),
  MPI_SUM: (s, t) => s + t,
  MPI_PROD: (s, t) => Math.imul(s, t),
  MPI_LAND: (s, t) => (s !== 0 && t !== 0 ? 1 : 0),
  MPI_LOR: (s, t) => (s !== 0 || t !== 0 ? 1 : 0),
  MPI_LXOR: (s, t) => ((s !== 0) !== (t !== 0) ? 1 : 0),
  MPI_BAND: (s, t) => s & t,
  MPI_BOR: (s, t) => s | t,
  MPI_BXOR: (s, t) => s ^ t,
};

/** Integers of 64 bits are combined so; stores wrap the result around. */
export const OF_BIGINTS: Readonly<Record<Operation, Combine<bigint>>> = {
  MPI_MAX: (s, t) => (s > t ? s : t),
  MPI_MIN: (s, t) => (s < t ? s : t),
  MPI_SUM: (s, t) => s + t,
  MPI_PROD: (s, t) => s * t,
  MPI_LAND: (s, t) => (s !== 0n && t !== 0n ? 1n : 0n),
  MPI_LOR: (s, t) => (s !== 0n || t !== 0n ? 1n : 0n),
  MPI_LXOR: (s, t) => ((s !== 0n) !== (t !== 0n) ? 1n : 0n),
  MPI_BAND: (s, t) => s & t,
  MPI_BOR: (s, t) => s | t,
  MPI_BXOR: (s, t) => s ^ t,
};

/** Floating-point numbers, and parts of complex sums, are combined so; stores round to the element's precision. */
export const OF_FLOATS: Readonly<Record<"MPI_SUM" | "MPI_PROD", Combine<number>>> = {
  MPI_SUM: (s, t) => s + t,
  MPI_PROD: (s, t) => s * t,
};

/** Whether the number that arrives takes the place of the one that is there: no NaN does, and none is displaced. */
export const WINS: Readonly<Record<"MPI_MAX" | "MPI_MIN", (arriving: number, there: number) => boolean>> = {
  MPI_MAX: (s, t) => s > t,
  MPI_MIN: (s, t) => s < t,
};
