/** What is wrong with a primitive of a program: which of its parameters, what it should be, what it is. */
export interface Fault {
  readonly subject: string;
  readonly expected: string;
  readonly got: string;
}

export const fault = (subject: string, expected: number | string, got: number | string): Fault => ({
  subject,
  expected: String(expected),
  got: String(got),
});
