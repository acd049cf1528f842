import { readFileSync } from "node:fs";

/**
 * The explorer: one HTML page that needs nothing but itself, from a server or from a file, and makes no request. Throws
 * one line where this package was not built.
 */
export const explorerPage = (): string => builtPage("explorer.html");

function builtPage(name: string): string {
  try {
    return readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8");
  } catch (error) {
    throw new Error(`${name}: expected a built page, got none: run \`npm run build\``, { cause: error });
  }
}
