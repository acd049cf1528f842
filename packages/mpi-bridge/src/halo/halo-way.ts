/** One way by which neighbours' points come into ghosts, in its phases. */
export interface HaloWay extends Disposable {
  start(): void;
  finish(): void;
  run(): void;
  pack(): void;
  exchange(): void;
  unpack(): void;
  /** Who packs and unpacks, or moves. */
  readonly explanation: string;
}
