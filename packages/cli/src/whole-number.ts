/** What an option was given, as a number. Throws one line where it is no whole number above 0. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${option}: expected a whole number above 0, got ${text}`);
  return Number(text);
}
