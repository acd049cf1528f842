// Draws public docstrings and paragraphs of the documents by a seed, so that what is read is not what its author would
// choose: node scripts/draw-sentences.mjs --commit HEAD --seed 31 --docstrings 30 --paragraphs 20. The commit and the
// seed alone decide what is drawn. docs/notes/2026-11-24-readers.md is what two readers said of one draw.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    commit: { type: "string", default: "HEAD" },
    seed: { type: "string", default: "31" },
    docstrings: { type: "string", default: "30" },
    paragraphs: { type: "string", default: "20" },
  },
});
/** A shorter block is a label, not a thought. */
const LEAST_WORDS = 12;
const FENCED = /^ *```[\s\S]*?^ *```$/gm;

/** The files of a commit, in a folder that is removed at the end. */
function checkoutOf(commit) {
  const folder = mkdtempSync(join(tmpdir(), "stowage-draw-"));
  const tar = execFileSync("git", ["archive", commit, "README.md", "docs", "api", "packages"], {
    cwd: root,
    maxBuffer: 1 << 30,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: tar });
  return folder;
}

/** What a declaration's docstring says, as one line; undefined where it has none. */
function docstringOf(declaration) {
  const [doc] = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  if (doc === undefined) return undefined;
  return doc
    .getText()
    .replace(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const isPublic = (member) =>
  member.name !== undefined &&
  !ts.isPrivateIdentifier(member.name) &&
  (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.NonPublicAccessibilityModifier) === 0;

/** Docstrings of what the packages with a reported surface export, and of their members. */
function docstringsOf(folder) {
  const packages = readdirSync(join(folder, "api")).map((name) => name.replace(".api.md", ""));
  const entries = packages.map((name) => join(folder, "packages", name, "src/index.ts")).filter(existsSync);
  const program = ts.createProgram(entries, {
    noLib: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const found = new Map();
  const add = (declaration, name) => {
    const text = docstringOf(declaration);
    if (text === undefined) return;
    const path = relative(folder, declaration.getSourceFile().fileName);
    if (!path.startsWith("..")) found.set(`${path} ${name}`, { path, name, text });
  };
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const symbol of checker.getExportsOfModule(module)) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      for (const declaration of target.declarations ?? []) {
        const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
        add(statement, symbol.name);
        for (const member of declaration.members ?? []) {
          if (isPublic(member)) add(member, `${symbol.name}.${member.name.getText()}`);
        }
      }
    }
  }
  return [...found.values()];
}

/** Paragraphs and items of lists; tables, headings and code are not drawn. */
function paragraphsOf(folder) {
  const documents = ["docs/guide", "docs/design"]
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(name, file)))
    .filter((path) => path.endsWith(".md"));
  return ["README.md", ...documents].flatMap((path) =>
    readFileSync(join(folder, path), "utf8")
      .replace(FENCED, "\n\n")
      .split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/)
      .map((text) => text.replaceAll(/\s+/g, " ").trim())
      .filter((text) => !/^[#|<!]/.test(text) && text.split(" ").length >= LEAST_WORDS)
      .map((text) => ({ path, name: text.split(" ").slice(0, 6).join(" "), text })),
  );
}

const rank = (kind, { path, name }) =>
  createHash("sha256").update(`${values.seed} ${kind} ${path} ${name}`).digest("hex");
const drawn = (kind, all, count) =>
  all
    .map((one) => [rank(kind, one), one])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, Number(count))
    .map(([, one]) => one);

const folder = checkoutOf(values.commit);
try {
  for (const [kind, all, count] of [
    ["docstrings", docstringsOf(folder), values.docstrings],
    ["paragraphs", paragraphsOf(folder), values.paragraphs],
  ]) {
    console.log(`## ${kind}: ${count} of ${all.length}\n`);
    for (const [i, { path, name, text }] of drawn(kind, all, count).entries()) {
      console.log(`${i + 1}. \`${path}\`${kind === "docstrings" ? `, \`${name}\`` : ""}\n   > ${text}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
