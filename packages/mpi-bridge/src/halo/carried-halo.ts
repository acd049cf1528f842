/** What brings neighbours' points into ghosts by one carrier, in its phases. */
export interface CarriedHalo extends Disposable {
  start(): void;
  finish(): void;
  run(): void;
  pack(): void;
  exchange(): void;
  unpack(): void;
  /** Who packs and unpacks, or moves. */
  readonly explanation: string;
}
