/** What a report says of each datatype. */
export const COLUMNS = [
  "",
  "commits",
  "messages",
  "mean size",
  "bytes by our code",
  "packing, recorded",
  "in MPI calls",
  "by the MPI",
  "by our code, predicted",
  "gain, predicted",
] as const;
