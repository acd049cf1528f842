// The programs of a document: its blocks marked `ts` or `js`, each whole as it is printed. Fragments are marked
// `typescript` or `javascript`, or not at all.
import { readFileSync } from "node:fs";

const BLOCK = /^```(ts|js)\n([\s\S]*?)^```$/gm;

/** The programs of a document, with the language of each and the line it begins at. */
export function programsOf(path) {
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(BLOCK)].map(({ 1: language, 2: source, index }) => ({
    language,
    source,
    line: text.slice(0, index).split("\n").length + 1,
  }));
}
