/** A workload that is not there, or a size it cannot have. The message is one line: subject, expected, got. */
export class WorkloadError extends Error {
  override readonly name = "WorkloadError";
  readonly subject: string;
  readonly expected: string;
  readonly got: string;

  constructor(subject: string, expected: string, got: string) {
    super(`${subject}: expected ${expected}, got ${got}`);
    this.subject = subject;
    this.expected = expected;
    this.got = got;
  }
}
