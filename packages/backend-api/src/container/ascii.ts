/** JSON text in ASCII: anything else can only stand in a string, where an escape says the same. */
export function asciiBytes(json: string): Uint8Array {
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Uint8Array.from({ length: ascii.length }, (_, i) => ascii.charCodeAt(i));
}

export function asciiText(bytes: Uint8Array): string {
  let text = "";
  // A call has room for so many arguments.
  for (let start = 0; start < bytes.length; start += 4096) {
    text += String.fromCharCode(...bytes.subarray(start, start + 4096));
  }
  return text;
}
