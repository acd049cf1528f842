/** What a launch of moves with tables reads: a header, as any launch's, a record each move, and the layouts' nodes. */
export const TABLED = {
  /** The first tile of the grid that is this move's. */
  firstTile: 0,
  /** Offsets of the record of one element, of each side. */
  sourceNode: 4,
  targetNode: 8,
  /** Pieces that the threads of an element take one after the other: tiles hold some each. */
  pieces: 12,
  /** Where the displacements of each side count from. */
  source: 16,
  target: 24,
  /** Packed bytes of an element. */
  sizeBytes: 32,
  /** The packed range, and the elements that it touches. */
  firstByte: 40,
  endByte: 48,
  firstElement: 56,
  elements: 64,
  /** Of a counted launch: where the number of elements stands. */
  count: 72,
  /** Entry 0 of each table; without a table, elements lie a stride apart. */
  sourceTable: 80,
  targetTable: 88,
  sourceStride: 96,
  targetStride: 104,
  /** The entries whose elements lie within their memory. */
  sourceLeast: 112,
  sourceMost: 120,
  targetLeast: 128,
  targetMost: 136,
} as const;
export const TABLED_BYTES = 144;
