/**
 * What law 8 needs to load artifacts in a process of their own: an ES module that Node imports as it is (built
 * JavaScript), exporting `createBackend(): Backend`, and `scattered` and `packed` memories where they are not host
 * memory.
 */
export interface FreshProcess {
  /** The URL of the module. */
  readonly module: string | URL;
  /** How many cases one process is given. Default: 50. */
  readonly cases?: number;
}

/** One case as it goes to the process: bytes in base64. */
export interface FreshCase {
  readonly artifact: string;
  readonly source: FreshSide;
  readonly target: FreshSide;
  readonly count: number;
  readonly length: number;
}

export interface FreshSide {
  readonly bytes: string;
  readonly originBytes: number;
}
