// Formats the C and C++ of the tree by .clang-format, or says which files are not: `node scripts/c-format.mjs [--write]
// [PATH...]`. What the formatter cannot break, a string or a macro, must keep to 120 columns by hand.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "@wasm-fmt/clang-format";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const COLUMNS = 120;
const style = readFileSync(join(root, ".clang-format"), "utf8");

const paths = process.argv.slice(2).filter((word) => word !== "--write");
const writes = process.argv.includes("--write");
const patterns = ["*.c", "*.h", "*.cu", "*.hpp"].flatMap((ending) =>
  paths.length === 0 ? [ending] : paths.map((path) => `${path}${path.endsWith(ending.slice(1)) ? "" : `/${ending}`}`),
);
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => name !== "");

let failed = 0;
const fail = (line) => {
  failed++;
  console.error(line);
};

for (const name of new Set(files)) {
  const path = join(root, name);
  const text = readFileSync(path, "utf8");
  const formatted = format(text, /\.(cu|hpp)$/.test(name) ? "source.cc" : "source.c", style);
  if (writes && formatted !== text) writeFileSync(path, formatted);
  else if (formatted !== text)
    fail(`${name}: expected the format of .clang-format, got another: node scripts/c-format.mjs --write`);
  formatted.split("\n").forEach((line, i) => {
    if (line.length > COLUMNS) fail(`${name}:${i + 1}: expected ${COLUMNS} columns, got ${line.length}`);
  });
}
process.exitCode = failed === 0 ? 0 : 1;
