import { basename } from "node:path";

/**
 * The words of a command as a user would type them: this folder's files by their relative paths, scripts from
 * `packages/` on, other results and plots by their names alone (where they lay was a matter of the machine), and in
 * quotes what a shell would take apart.
 */
export const typedCommand = (words: readonly string[]): string => words.map(typedWord).join(" ");

/** The command that repeats the script that runs. */
export const scriptCommand = (): string => typedCommand(["node", ...process.argv.slice(1)]);

function typedWord(word: string): string {
  const path = typedPath(word.replace(`${process.cwd()}/`, ""));
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function typedPath(word: string): string {
  if (/^\/.*\.m?js$/.test(word)) return word.replace(/^.*\/(?=packages\/)/, "");
  return word.replace(/(^|=)(\/.*\.(?:jsonl?|svg|txt|html))$/, (_, before: string, path: string) => before + basename(path));
}
