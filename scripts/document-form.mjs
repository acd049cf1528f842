// What the documents keep to: lines of 120 columns (tables, code and single long words but for), pages of the guide of
// 120 lines at most that say at their head for whom they are and show or list how before their second heading, and a
// glossary of 20 terms at most. Notes are of their day.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MOST_COLUMNS = 120;
const MOST_LINES = 120;
const MOST_TERMS = 20;
/** Lines of a page that a screen shows at first. */
const FIRST_SCREEN = 30;
const GUIDE = "docs/guide";

const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((path) => !/^(?:api|results|docs\/notes|outside)\/|CHANGELOG\.md$/.test(path));

/** The lines of prose, with their numbers. */
function proseOf(lines) {
  let isCode = false;
  return lines.flatMap((text, i) => {
    const isFence = /^\s*```/.test(text);
    if (isFence) isCode = !isCode;
    const isProse = !isFence && !isCode && !/^\s*[|<]/.test(text) && !/^ {4}\S/.test(text);
    return isProse ? [{ text, number: i + 1 }] : [];
  });
}

function* faultsOf(document) {
  const text = readFileSync(join(root, document), "utf8");
  const lines = text.trimEnd().split("\n");
  for (const { text: line, number } of proseOf(lines)) {
    if (
      line.length > MOST_COLUMNS &&
      line
        .trim()
        .replace(/^(?:[-*]|\d+\.) /, "")
        .includes(" ")
    )
      yield `${document}:${number}: expected ${MOST_COLUMNS} columns at most, got ${line.length}`;
  }
  if (!document.startsWith(`${GUIDE}/`)) return;
  if (lines.length > MOST_LINES) yield `${document}: expected ${MOST_LINES} lines at most, got ${lines.length}`;
  const screen = lines.slice(0, FIRST_SCREEN).join("\n");
  if (!/\bFor [a-z]+|\bFor C\b/.test(screen)) yield `${document}: expected "For ..." in its first screen, got nobody`;
  if (!/^```|^ {4}\S|^\d+\. |^\|/m.test(screen))
    yield `${document}: expected an example, steps or a table in its first screen, got none`;
  if (document.endsWith("glossary.md")) {
    const terms = lines.filter((line) => line.startsWith("| ")).length - 1;
    if (terms > MOST_TERMS) yield `${document}: expected ${MOST_TERMS} terms at most, got ${terms}`;
  }
}

const faults = documents.flatMap((document) => [...faultsOf(document)]);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
