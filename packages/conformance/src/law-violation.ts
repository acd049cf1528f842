/** A backend broke a law. The message says what was expected and what came, and how to repeat the case. */
export class LawViolation extends Error {
  override readonly name = "LawViolation";
}

export function require(holds: boolean, message: string): void {
  if (!holds) throw new LawViolation(message);
}
