/** What MPI sees of memory. */
export interface Bare {
  readonly address: number;
  readonly count: number;
  readonly handle: number;
}
