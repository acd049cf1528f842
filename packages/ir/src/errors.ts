export interface DatatypeErrorDetails {
  /** Where in a document the fault lies, such as `type.children[2].count`; absent for computed values. */
  readonly path?: string;
  /** What was wrong, such as `blocklength`. */
  readonly subject: string;
  readonly expected: string;
  readonly got: string;
}

/** A datatype, layout or document that cannot be. The message is one line: where, what, expected, got. */
export class DatatypeError extends Error {
  override readonly name = "DatatypeError";
  readonly details: DatatypeErrorDetails;

  constructor(details: DatatypeErrorDetails, options?: ErrorOptions) {
    const where = details.path === undefined ? "" : `${details.path}: `;
    super(`${where}${details.subject}: expected ${details.expected}, got ${details.got}`, options);
    this.details = details;
  }
}
