/** An object file in a static library, and what linkers may look it up by. */
export interface ArchiveMember {
  /** A file name, without a slash. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly symbols: readonly string[];
}
