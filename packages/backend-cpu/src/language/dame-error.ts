import { StowageError } from "@stowage/ir";

/** A DAME program that cannot be, or memory that it cannot run over. One line: where, expected, got. */
export class DameError extends StowageError {
  override readonly name = "DameError";
  /** `line 3, column 5` of a text, or `primitive 7 (VECTOR)` of a program. */
  readonly where: string;

  constructor(where: string, expected: string, got: string) {
    super("STOWAGE_PROGRAM", { subject: where, expected, got });
    this.where = where;
  }
}
