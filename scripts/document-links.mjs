// Every relative link of every document leads to a file, and to a heading of it where it names one; every path in
// backticks that begins with a folder of this repository is there, and every other path of a source ends that of a file
// which is. Notes are of their day: only their links are followed.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FENCED = /^```[\s\S]*?^```$/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const PATH = /`((?:docs|packages|results|scripts|outside|golden|api|lab)\/[^\s`]*)`/g;
/** A path of a source, from whichever folder. */
const SOURCE = /`([\w.-]+\/[\w./-]+\.(?:ts|mjs|c|h|cu|cuh|py|f90|json|jsonl|md|svg|hpp|cpp|html))`/g;
/** Files of examples, and where an installation puts one. */
const ELSEWHERE = new Set(["experiments/squares.mjs", "include/stowage.h"]);
/** A script that a command names, in whatever document, and in results: it is there, or what it has become is. */
const COMMAND = /packages\/[\w-]+\/bench\/[\w.-]+\.(?:mjs|c|cu|py|h)\b/g;
const moved = JSON.parse(readFileSync(join(root, "lab/old-commands.json"), "utf8"));

/** Where a path of old has gone; experiments are files of one folder. */
function placeOf(path) {
  if (existsSync(join(root, path))) return path;
  const { run, file } = moved.find(({ old }) => old.split(" ")[0] === path) ?? {};
  return run === undefined ? (file ?? path) : `lab/experiments/${run}.mjs`;
}

const markdownIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, folder, name));

const documents = [
  ...["", "docs/guide", "docs/design", "docs/notes", "results", "lab"].flatMap(markdownIn),
  ...readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => markdownIn(join("packages", name))),
];

/** GitHub's anchor of a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const headingsOf = (path) =>
  [
    ...readFileSync(path, "utf8")
      .replace(FENCED, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading]) => anchorOf(heading));

function isLive(document, link) {
  const [path, anchor] = link.split("#");
  const target = path === "" ? document : join(root, placeOf(relative(root, join(dirname(document), path))));
  if (!existsSync(target)) return false;
  return anchor === undefined || !statSync(target).isFile() || headingsOf(target).includes(anchor);
}

const sources = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
const endsSource = (path) =>
  ELSEWHERE.has(path) || isThere(path) || sources.some((source) => source.endsWith(`/${path}`));

/** Whether a path of the repository is there; stars stand for anything, capitals for a name of one's own. */
const isThere = (path) => (/[A-Z]{3}/.test(path) || path.includes("*") ? true : existsSync(join(root, placeOf(path))));

function* faultsOf(document) {
  const text = readFileSync(document, "utf8").replace(FENCED, "");
  for (const [, link] of text.matchAll(LINK)) {
    if (!/^[a-z]+:/.test(link) && !isLive(document, link)) yield link;
  }
  for (const [path] of readFileSync(document, "utf8").matchAll(COMMAND)) if (!isThere(path)) yield path;
  if (document.includes("/notes/") || document.endsWith("CHANGELOG.md")) return;
  for (const [, path] of text.matchAll(PATH)) if (!isThere(path)) yield path;
  for (const [, path] of text.matchAll(SOURCE)) if (!endsSource(path)) yield path;
}

const faults = documents.flatMap((document) =>
  [...faultsOf(document)].map((fault) => `${relative(root, document)}: expected what it names, got no ${fault}`),
);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
