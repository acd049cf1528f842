/** Strings, those before a colon as keys, and braces: all that decides to which object a key belongs. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/** A key that an object of a JSON text has twice; JSON.parse keeps the last in silence. The text must be JSON. */
export function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (string !== undefined && colon !== undefined) {
      const keys = open.at(-1);
      const key = JSON.parse(string) as string;
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
