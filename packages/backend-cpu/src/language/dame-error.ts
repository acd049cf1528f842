import { StowageError } from "@stowage/ir";

/** A DAME program is wrong, or the memory that it is to run over. One line: where, expected, got. */
export class DameError extends StowageError {
  override readonly name = "DameError";
  /** The place: `line 3, column 5` of a text, or `primitive 7 (VECTOR)` of a program. */
  readonly where: string;

  /** Makes the message of its three parts. */
  constructor(where: string, expected: string, got: string) {
    super("STOWAGE_PROGRAM", { subject: where, expected, got });
    this.where = where;
  }
}
