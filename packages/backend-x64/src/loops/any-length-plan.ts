/** How a run is copied whose length is known only when it runs. */
export interface AnyLengthPlan {
  /**
   * Runs to twice the first take a head and a tail that overlap, of the first of these bytes that they have; powers of
   * two, descending.
   */
  readonly pairsBytes: readonly number[];
  /** Whether shorter ones than the last pair take one move by a mask; else they are a byte or none. */
  readonly byMask: boolean;
  /** Moves of a round of longer ones. */
  readonly roundMoves: number;
  /** The lines inside long runs, by non-temporal stores, so many a round. */
  readonly nonTemporal: {
    readonly fromBytes: number;
    readonly widthBytes: 16 | 32;
    readonly linesARound: number;
  };
  /** Bytes of a run from which it takes non-temporal stores by itself, whatever the launch; undefined: never. */
  readonly nonTemporalFromBytes: number | undefined;
  /** Bytes of a run from which it goes by REP MOVSB; undefined: never. */
  readonly repMovsbFromBytes: number | undefined;
}
