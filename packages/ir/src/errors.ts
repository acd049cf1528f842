/** The three parts of what went wrong; the message is `subject: expected E, got G`, one line. */
export interface StowageErrorDetails {
  /** What was wrong, such as `blocklength`. */
  readonly subject: string;
  readonly expected: string;
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
 * What every package throws where a caller asked for what cannot be, or the machine could not do it: one line that
 * names the subject, what was expected and what came. Any other error is a fault of ours.
 */
export class StowageError extends Error {
  override readonly name: string = "StowageError";
  readonly code: StowageErrorCode;
  readonly subject: string;
  readonly expected: string;
  readonly got: string;

  /**
   * `what`: the parts, or a message made of them; a message of another form is what came where success was expected.
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

/** An argument that a function cannot take: of a wrong type, or outside its range. */
export class ArgumentError extends StowageError {
  override readonly name = "ArgumentError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_ARGUMENT", { subject, expected, got }, options);
  }
}

/** What a DatatypeError is made of. */
export interface DatatypeErrorDetails extends StowageErrorDetails {
  /** Where in a document the fault lies, such as `type.children[2].count`; absent for computed values. */
  readonly path?: string;
}

/** A datatype, layout or document that cannot be. The message is one line: where, what, expected, got. */
export class DatatypeError extends StowageError {
  override readonly name = "DatatypeError";
  readonly details: DatatypeErrorDetails;

  constructor(details: DatatypeErrorDetails, options?: ErrorOptions) {
    const where = details.path === undefined ? "" : `${details.path}: `;
    super("STOWAGE_DATATYPE", { ...details, subject: `${where}${details.subject}` }, options);
    this.details = details;
  }
}
