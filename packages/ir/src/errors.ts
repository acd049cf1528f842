/** The three parts of what went wrong; the message is `subject: expected E, got G`, one line. */
export interface StowageErrorDetails {
  /** What was wrong, such as `blocklength`. */
  readonly subject: string;
  /** What would have been right, such as `an integer from 0 to 2^53 - 1`. */
  readonly expected: string;
  /** What came instead, such as `-1`; long values are cut short. */
  readonly got: string;
}

/**
 * The kind of an error, for programs: it stays where messages and class names may change. A bad argument, datatype,
 * binding or workload is the caller's to mend; the others say that this machine cannot.
 */
export type StowageErrorCode =
  | "STOWAGE_ARGUMENT"
  | "STOWAGE_DATATYPE"
  | "STOWAGE_BINDING"
  | "STOWAGE_UNSUPPORTED_MOVE"
  | "STOWAGE_ARTIFACT"
  | "STOWAGE_DISPOSED"
  | "STOWAGE_DEVICE"
  | "STOWAGE_DRIVER"
  | "STOWAGE_LLVM"
  | "STOWAGE_NCCL"
  | "STOWAGE_NO_BACKEND"
  | "STOWAGE_WORKLOAD"
  | "STOWAGE_PROGRAM"
  | "STOWAGE_MPI"
  | "STOWAGE_MPI_LIBRARY";

/**
 * The error that every package throws where a caller asked for what cannot be, or the machine could not do it. Its
 * message is one line: `subject: expected E, got G`. Any other error is a fault of ours.
 *
 * @example
 * ```typescript
 * try {
 *   vector(-1, 1, 2, "MPI_DOUBLE");
 * } catch (error) {
 *   if (!(error instanceof StowageError)) throw error;
 *   console.log(error.code); // STOWAGE_DATATYPE
 *   console.log(error.message); // count: count of vector: expected an integer from 0 to 2^53 - 1, got -1
 * }
 * ```
 */
export class StowageError extends Error {
  override readonly name: string = "StowageError";
  readonly code: StowageErrorCode;
  /** What was wrong. A DatatypeError's begins with the path in the document, where there is one. */
  readonly subject: string;
  /** What would have been right; "success" where a message of another form was given. */
  readonly expected: string;
  /** What came instead. */
  readonly got: string;

  /**
   * Makes an error of its three parts (`what`), or of a message that is taken apart into them. A message of another
   * form is kept as it is: `expected` is then "success", and `got` what follows its first colon, or all of it.
   */
  constructor(code: StowageErrorCode, what: StowageErrorDetails | string, options?: ErrorOptions) {
    super(typeof what === "string" ? what : messageOf(what), options);
    const { subject, expected, got } = typeof what === "string" ? partsOf(what) : what;
    this.code = code;
    this.subject = subject;
    this.expected = expected;
    this.got = got;
  }
}

const messageOf = ({ subject, expected, got }: StowageErrorDetails): string =>
  `${subject}: expected ${expected}, got ${got}`;

function partsOf(message: string): StowageErrorDetails {
  const parts = /^(.*?): expected (.*?), (?:but )?got (.*)$/s.exec(message);
  if (parts !== null) return { subject: parts[1] as string, expected: parts[2] as string, got: parts[3] as string };
  const [subject = "", ...rest] = message.split(": ");
  return { subject, expected: "success", got: rest.length === 0 ? message : rest.join(": ") };
}

/** The error of an argument that a function cannot take: it is of a wrong type, or outside its range. */
export class ArgumentError extends StowageError {
  override readonly name = "ArgumentError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_ARGUMENT", { subject, expected, got }, options);
  }
}

/** What a DatatypeError is made of. */
export interface DatatypeErrorDetails extends StowageErrorDetails {
  /**
   * Where in a document the fault lies, such as `type.children[2].count`, or which argument of a builder it is;
   * absent for computed values.
   */
  readonly path?: string;
}

/** The error of a datatype, layout or document that cannot be. Its message is one line: where, what, expected, got. */
export class DatatypeError extends StowageError {
  override readonly name = "DatatypeError";
  /** The parts as they were given: unlike `subject`, `details.subject` has no path before it. */
  readonly details: DatatypeErrorDetails;

  constructor(details: DatatypeErrorDetails, options?: ErrorOptions) {
    const where = details.path === undefined ? "" : `${details.path}: `;
    super("STOWAGE_DATATYPE", { ...details, subject: `${where}${details.subject}` }, options);
    this.details = details;
  }
}
