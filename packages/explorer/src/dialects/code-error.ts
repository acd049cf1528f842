/**
 * What is wrong with a program, and which of its characters. The message is one line and begins with the line's number.
 */
export class CodeError extends Error {
  override readonly name = "CodeError";
  readonly from: number;
  readonly to: number;

  constructor(text: string, from: number, to: number, message: string, options?: ErrorOptions) {
    const line = text.slice(0, from).split("\n").length;
    super(`line ${line}: ${message}`, options);
    this.from = from;
    this.to = to;
  }
}
