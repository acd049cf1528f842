/** Prints a text and the end of its line on standard output. Throws one line where nothing can be written there. */
export function print(text: string): void {
  try {
    process.stdout.write(`${text}\n`);
  } catch (error) {
    throw writeError(error as NodeJS.ErrnoException);
  }
}

/** Prints a value as JSON, for programs that read us. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export const writeError = ({ code = "an error" }: NodeJS.ErrnoException): Error =>
  new Error(`standard output: expected to be written, got ${code}`);
