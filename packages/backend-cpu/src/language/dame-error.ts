/** A DAME program that cannot be, or memory that it cannot run over. One line: where, expected, got. */
export class DameError extends Error {
  override readonly name = "DameError";
  /** `line 3, column 5` of a text, or `primitive 7 (VECTOR)` of a program. */
  readonly where: string;
  readonly expected: string;
  readonly got: string;

  constructor(where: string, expected: string, got: string) {
    super(`${where}: expected ${expected}, got ${got}`);
    this.where = where;
    this.expected = expected;
    this.got = got;
  }
}
