/** A way to make an exchange; both ranks run as many turns of it. */
export interface Contender extends Disposable {
  readonly name: string;
  run(turns: number): void;
  /** How messages travel, where that was chosen. */
  route?(): string;
}
