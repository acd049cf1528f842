/** What an option was given, as a number. Throws one line where it is no whole number from 1 to `most`. */
export function wholeNumber(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "above 0" : `of 1 to ${most}`;
  throw new Error(`${option}: expected a whole number ${range}, got ${text}`);
}
