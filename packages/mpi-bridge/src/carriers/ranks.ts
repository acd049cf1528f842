/** All ranks of a communicator, as far as meeting is concerned. */
export interface Ranks {
  readonly rank: number;
  readonly size: number;
  allgather(sent: Uint8Array | Float64Array, received: Uint8Array | Float64Array): void;
  bcast(bytes: Uint8Array, root: number): void;
  send(bytes: Uint8Array, dest: number): void;
  recv(bytes: Uint8Array, source: number): unknown;
  splitShared(): { readonly rank: number; readonly size: number; free(): void };
}
