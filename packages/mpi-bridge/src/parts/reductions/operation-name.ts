/** An operation in short, as in "sum", or by MPI's name, as in "MPI_SUM". */
export type OperationName<Short extends string> = Short | `MPI_${Uppercase<Short>}`;

/** In short, whichever was given; what is no operation stays as it is, for who checks it. */
export const shortOperation = <Short extends string>(given: OperationName<Short>): Short =>
  (typeof given === "string" && given.startsWith("MPI_") ? given.slice("MPI_".length).toLowerCase() : given) as Short;
