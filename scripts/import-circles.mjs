// No file of a package reaches itself through imports, those of types among them, and no header of C through includes:
// what is in a circle can be read, tested and moved only as a whole. Prints the shortest circle of each knot.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

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

/** Of each knot of files that reach each other, the shortest circle. */
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

/** Folders whose C is one library. */
const LIBRARIES = ["packages/interposer/c", "packages/overheads/c", "runtime"];
const circles = [
  ...readdirSync(join(root, "packages")).flatMap((name) =>
    circlesOf(join(root, "packages", name, "src"), [".ts"], importsOf),
  ),
  ...LIBRARIES.flatMap((name) => circlesOf(join(root, name), [".c", ".h"], includesOf)),
];
for (const circle of circles) {
  console.error(`expected no import circle, got ${circle.map((file) => relative(root, file)).join(" -> ")}`);
}
process.exitCode = circles.length === 0 ? 0 : 1;
