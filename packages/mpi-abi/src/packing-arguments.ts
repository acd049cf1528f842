/** What MPI_Pack and MPI_Unpack work on: `count` elements of a committed datatype, and a packed stream. */
export interface Packing {
  /** MPI_Datatype */
  readonly datatype: number;
  readonly count: number;
  /** The memory that holds the elements; the datatype's address 0 lies at `originBytes` in it. */
  readonly scattered: Uint8Array;
  readonly originBytes: number;
  readonly packed: Uint8Array;
  /** Where in `packed` the stream begins. Default: 0. */
  readonly positionBytes?: number;
}
