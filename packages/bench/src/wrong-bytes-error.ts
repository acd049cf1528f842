/** A contender moved other bytes than it must; the message names it and the first of them. */
export class WrongBytesError extends Error {
  override readonly name = "WrongBytesError";
}
