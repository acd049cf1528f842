// Numbers in the documents that count what the code has are the code's. Phrases such as "twelve laws" are recognised
// wherever they stand; any other number is counted where a comment behind it says of what: six<!-- count: carriers -->.
// A list in a document has as many items as the code where its heading names it. Notes are of their day.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (path) => join(root, path);
const built = (path) => import(pathToFileURL(at(path)).href);
const filesIn = (folder, ending) => readdirSync(at(folder)).filter((name) => name.endsWith(ending));
const linesOf = (path) => readFileSync(at(path), "utf8").trim().split("\n");
/** The value of a constant of C's enumerations. */
const enumerated = (path, name) => Number(new RegExp(`\\b${name} = (\\d+)`).exec(readFileSync(at(path), "utf8"))?.[1]);

const { LAWS } = await built("packages/conformance/dist/laws-alone.js");
const { workloadNames } = await built("packages/workloads/dist/index.js");
const { CARRIERS } = await built("packages/mpi-bridge/dist/carriers/carriers.js");
const { ROUTES } = await built("packages/routes/dist/index.js");
const { PARAMETERS } = await built("packages/backend-cpu/dist/language/parameters.js");
const { ELEMENT_NAMES, OPERATION_NAMES } = await built("packages/backend-api/dist/index.js");
const { PASSES } = await built("packages/ir/dist/index.js");

/** What may be counted. */
const COUNTS = {
  backends: filesIn("packages", "").filter((name) => /^backend-(?!api$)/.test(name)).length,
  "backends for GPUs": filesIn("packages", "").filter((name) => /^backend-(?:cuda-|dma)/.test(name)).length,
  carriers: CARRIERS.length,
  "elements of reductions": ELEMENT_NAMES.length,
  experiments: filesIn("lab/experiments", ".mjs").length,
  "golden types": linesOf("packages/cli/golden/openmpi-4.1.4.jsonl").length,
  "halo regions": workloadNames("tempi").filter((name) => /^halo26\/-?\d/.test(name)).length,
  laws: LAWS.length,
  "operations of reductions": OPERATION_NAMES.length,
  packages: filesIn("packages", "").filter((name) => !name.includes(".")).length,
  passes: PASSES.length,
  primitives: Object.keys(PARAMETERS).length,
  routes: ROUTES.length,
  "rules of a table of ways": enumerated("packages/interposer/c/host/host-table.c", "MOST_HOST_RULES"),
  "rules of a table of routes": enumerated("packages/interposer/c/gpu/route-table.h", "MOST_RULES"),
  "types a process keeps": enumerated("packages/libstowage/c/code/code-store.c", "MOST_TYPES"),
  "types of DDTBench": workloadNames("ddtbench").length,
};
/** Phrases that need no comment, behind a number. */
const RECOGNISED = [
  [/laws\b/, "laws"],
  [/(?:DDTBench (?:data)?types|(?:data)?types of DDTBench)\b/, "types of DDTBench"],
  [/golden (?:data)?types\b/, "golden types"],
  [/primitives\b/, "primitives"],
  [/halo regions\b/, "halo regions"],
];
/** Lists whose items are what is counted: the numbered ones below a heading. */
const LISTS = [{ document: "packages/conformance/README.md", heading: "## The laws", of: "laws" }];

const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const NUMBER = String.raw`\b(\d[\d,]*|${WORDS.slice(2).join("|")})`;
const valueOf = (text) => (/\d/.test(text) ? Number(text.replaceAll(",", "")) : WORDS.indexOf(text.toLowerCase()));

const markdownIn = (folder) => filesIn(folder, ".md").map((name) => join(folder, name));
const documents = [
  ...["", "docs/guide", "docs/design", "lab"].flatMap(markdownIn),
  ...readdirSync(at("packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => markdownIn(join("packages", name)))
    .filter((path) => !path.endsWith("CHANGELOG.md")),
];

function* faultsOf(document) {
  const text = readFileSync(at(document), "utf8");
  const lineOf = (index) => text.slice(0, index).split("\n").length;
  const wrong = (index, got, of) =>
    `${document}:${lineOf(index)}: expected ${COUNTS[of]} ${of}, as the code has, got ${got}`;
  for (const [phrase, of] of RECOGNISED) {
    for (const { 1: number, index } of text.matchAll(new RegExp(`${NUMBER}\\s+${phrase.source}`, "gi")))
      if (valueOf(number) !== COUNTS[of]) yield wrong(index, number, of);
  }
  for (const { 1: before, 2: named, index } of text.matchAll(/([^\s`]+)\s*<!-- count:\s+([^>]*?)\s+-->/g)) {
    const of = named.replaceAll(/\s+/g, " ");
    const number = new RegExp(`^\\W*${NUMBER}\\W*$`, "i").exec(before)?.[1];
    if (!Object.hasOwn(COUNTS, of))
      yield `${document}:${lineOf(index)}: expected one of ${Object.keys(COUNTS).join(", ")}, got ${of}`;
    else if (number === undefined || valueOf(number) !== COUNTS[of]) yield wrong(index, before, of);
  }
  for (const { heading, of } of LISTS.filter((list) => list.document === document)) {
    const section = text.split(`${heading}\n`)[1]?.split("\n## ")[0] ?? "";
    const items = [...section.matchAll(/^\d+\. /gm)].length;
    if (items !== COUNTS[of]) yield `${document}: ${heading}: expected ${COUNTS[of]} items, got ${items}`;
  }
}

for (const [of, count] of Object.entries(COUNTS)) {
  if (!(count > 0)) throw new Error(`count of ${of}: expected a number, got ${count}`);
}
const faults = documents.flatMap((document) => [...faultsOf(document)]);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
if (process.argv.includes("--list")) console.table(COUNTS);
