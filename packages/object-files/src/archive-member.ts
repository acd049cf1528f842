/** An object file in a static library, and the symbols that linkers look it up by. */
export interface ArchiveMember {
  /** A file name, without a slash; ASCII. */
  readonly name: string;
  /** The object file. */
  readonly bytes: Uint8Array;
  /** The names of the symbols that it defines for others. */
  readonly symbols: readonly string[];
}
