// Sections of a document that a script writes from committed results, between the comments
// <!-- NAME: SCRIPT --> and <!-- end of NAME -->.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const read = (path) => readFileSync(join(root, path), "utf8");

/** A table in Markdown: its head, its lines, cells of each. */
export const table = (head, lines) =>
  [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Writes the sections with --update; else says whether the document has other ones, and fails. */
export function keepSections(script, document, sections) {
  const old = read(document);
  const updated = Object.entries(sections).reduce((text, [name, write]) => {
    const [begin, end] = [`<!-- ${name}: ${script} -->`, `<!-- end of ${name} -->`];
    const [at, until] = [text.indexOf(begin), text.indexOf(end)];
    if (at < 0 || until < at) throw new Error(`${document}: expected ${begin} and ${end}, got neither or one`);
    return `${text.slice(0, at + begin.length)}\n\n${write()}\n\n${text.slice(until)}`;
  }, old);
  if (process.argv.includes("--update")) writeFileSync(join(root, document), updated);
  else if (updated !== old) {
    console.error(`${document}: expected what \`node ${script} --update\` writes, got another text`);
    process.exitCode = 1;
  }
}
