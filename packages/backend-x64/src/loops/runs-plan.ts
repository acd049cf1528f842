/** How whole runs of varying length are moved, with few branches that depend on a length, none, or one for each. */
export type RunsPlan = Masked | ByLength | { readonly what: "run by run" };

/** As many moves for every run, of which masks leave its bytes. */
interface Masked {
  readonly what: "masked";
  readonly stepBytes: number;
}

export interface ByLength extends LengthClasses {
  readonly what: "by length";
}

/** The longest run of a class, in its shortest: 2 by its head and its tail, 4 by clamped moves. */
export type Spread = 2 | 4;

/** Lengths of runs in classes: the same moves take all of one, so that few branches depend on a length. */
export interface LengthClasses {
  readonly spread: Spread;
  /** Least length of each class, powers of two, descending. */
  readonly least: readonly number[];
  /** Runs of more bytes are longer than any class; undefined: there are none. */
  readonly longFromBytes: number | undefined;
}
