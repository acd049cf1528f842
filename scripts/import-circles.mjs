// No file of a package reaches itself through imports, those of types among them, and no header of C through includes:
// what is in a circle can be read, tested and moved only as a whole. Prints the shortest circle of each knot. Where
// folders have a direction, no class has an ancestor that has one: parts are composed. And no module loads one of
// another package by its path.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Folders of a package's sources in their direction: each imports those before it, and files that lie beside the
 * folders, which import none (the index excepted). Folders of one list do not import each other.
 */
const DIRECTIONS = {
  "mpi-bridge": [
    "native",
    "message",
    "carriers",
    "progress",
    "parts",
    "communicator",
    ["windows", "files", "halo"],
    "world",
  ],
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The files of a package's sources that a file of it imports. */
function importsOf(file, files) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
  const inside = importedFiles.map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, ".ts")));
  return inside.filter((imported) => files.has(imported));
}

/** The headers that a file of C includes, by their names: those of one library have names of their own. */
function includesOf(file, files) {
  const inside = new Map([...files].map((path) => [basename(path), path]));
  const names = [...readFileSync(file, "utf8").matchAll(/^#include "([^"]+)"/gm)].map(([, name]) => basename(name));
  return names.map((name) => inside.get(name)).filter((path) => path !== undefined);
}

/** The shortest way from a file back to itself; undefined where there is none. */
function shortestCircle(start, imports) {
  const cameFrom = new Map();
  const queue = [start];
  for (const file of queue) {
    for (const imported of imports.get(file)) {
      if (imported === start) {
        const circle = [start];
        for (let at = file; at !== start; at = cameFrom.get(at)) circle.unshift(at);
        return [start, ...circle];
      }
      if (cameFrom.has(imported)) continue;
      cameFrom.set(imported, file);
      queue.push(imported);
    }
  }
  return undefined;
}

const filesOf = (sources, endings) =>
  readdirSync(sources, { recursive: true })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .map((name) => join(sources, name));

/** The shortest circle of each knot of files that reach each other. */
function circlesOf(sources, endings, of) {
  const files = new Set(filesOf(sources, endings));
  const imports = new Map([...files].map((file) => [file, of(file, files)]));
  const circles = [...files].map((file) => shortestCircle(file, imports)).filter((circle) => circle !== undefined);
  const shortestFirst = circles.sort((a, b) => a.length - b.length);
  return shortestFirst.filter(([file], i) => !shortestFirst.slice(0, i).some(([other]) => reach(other, file, imports)));
}

/** Whether two files reach each other, each being in some circle. */
function reach(a, b, imports) {
  return goesTo(a, b, imports) && goesTo(b, a, imports);
}

function goesTo(start, end, imports) {
  const seen = new Set([start]);
  for (const file of seen) for (const imported of imports.get(file)) seen.add(imported);
  return seen.has(end);
}

/** The imports of a package that go against the direction of its folders. */
function againstDirection(name, direction) {
  const sources = join(root, "packages", name, "src");
  const places = new Map(direction.flatMap((folders, place) => [folders].flat().map((folder) => [folder, place])));
  const folderOf = (file) =>
    relative(sources, file).includes("/") ? relative(sources, file).split("/")[0] : undefined;
  const files = new Set(filesOf(sources, [".ts"]));
  const unknown = [...files].filter((file) => folderOf(file) !== undefined && !places.has(folderOf(file)));
  const wrong = [...files].flatMap((file) =>
    relative(sources, file) === "index.ts"
      ? []
      : importsOf(file, files)
          .filter((imported) => {
            const [from, to] = [folderOf(file), folderOf(imported)];
            return to !== undefined && from !== to && (from === undefined || places.get(to) >= places.get(from));
          })
          .map((imported) => `${relative(root, file)} -> ${relative(root, imported)}`),
  );
  return [...unknown.map((file) => `${relative(root, file)}, whose folder has no place`), ...wrong];
}

/** Classes of a package whose ancestor among its classes has an ancestor there too, as lines. */
function deepClasses(name) {
  const sources = join(root, "packages", name, "src");
  const text = filesOf(sources, [".ts"]).map((file) => readFileSync(file, "utf8"));
  const parents = new Map(
    text.flatMap((each) =>
      [...each.matchAll(/\bclass (\w+)(?:<.*?>)? extends (\w+)/g)].map(([, child, parent]) => [child, parent]),
    ),
  );
  return [...parents].flatMap(([child, parent]) =>
    parents.has(parent) ? [`${name}: ${child} <- ${parent} <- ${parents.get(parent)}`] : [],
  );
}

const deep = Object.keys(DIRECTIONS).flatMap(deepClasses);
for (const line of deep) console.error(`expected no class with an ancestor that has one, got ${line}`);
const against = Object.entries(DIRECTIONS).flatMap(([name, direction]) => againstDirection(name, direction));
for (const line of against) console.error(`expected imports in the direction of folders, got ${line}`);
/** Modules of TypeScript and JavaScript below a folder, but for what is made or installed there, and tests. */
const modulesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|mts|mjs|js)$/.test(name) && !/(^|\/)(dist|node_modules|tests)\//.test(name))
    .map((name) => join(folder, name));

/** The folders that are packages: what lies in one is reached from another by the package's name alone. */
const PACKAGES = [
  ...readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, "packages", name)),
  join(root, "lab"),
];
const packageOf = (path) => PACKAGES.find((folder) => path.startsWith(`${folder}/`));

/** The modules of other packages that a module loads by a path: imports, and URLs beside it that it may import. */
function acrossPackages(file) {
  const text = readFileSync(file, "utf8");
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const beside = [...text.matchAll(/new URL\(\s*["'`]([^"'`]+)["'`],\s*import\.meta\.url/g)].map(([, path]) => path);
  return [...imports, ...beside.filter((path) => /\.(ts|mts|mjs|js)$/.test(path))]
    .filter((path) => path.startsWith("."))
    .map((path) => join(dirname(file), path))
    .filter((path) => packageOf(path) !== undefined && packageOf(path) !== packageOf(file));
}

const across = PACKAGES.flatMap((folder) =>
  modulesOf(folder).flatMap((file) =>
    acrossPackages(file).map((other) => `${relative(root, file)} -> ${relative(root, other)}`),
  ),
);
for (const line of across) console.error(`expected another package by its name, got ${line}`);

/** Folders whose C is one library. */
const LIBRARIES = ["packages/interposer/c", "packages/overheads/c", "runtime"];
const circles = [
  ...readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => circlesOf(join(root, "packages", name, "src"), [".ts"], importsOf)),
  ...LIBRARIES.flatMap((name) => circlesOf(join(root, name), [".c", ".h"], includesOf)),
];
for (const circle of circles) {
  console.error(`expected no import circle, got ${circle.map((file) => relative(root, file)).join(" -> ")}`);
}
process.exitCode = circles.length + against.length + deep.length + across.length === 0 ? 0 : 1;
