/** What packing elements costs by the MPI and by our engine, in nanoseconds: the least of runs that took turns. */
export interface MeasuredCost {
  /** Which of them costs less. */
  readonly carrier: "native" | "packed";
  /** @deprecated `carrier` says the same. */
  readonly route: "native" | "packed";
  /** @deprecated The carrier "gapped" is what was meant; it is chosen by messages, which `explain` tells. */
  readonly apart?: boolean;
  /** MPI_Pack: what the MPI does inside a message of a committed type. */
  readonly nativeNs: number;
  /** Our engine's pack, and the MPI's copy of the packed bytes that a committed type does not need. */
  readonly packedNs: number;
}
