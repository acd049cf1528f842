// The packages as they are published, under tmp/packages: as here, but the modules of each library are one file, for
// Node takes half a millisecond a module to start. What a module finds by its own URL (a child process, a data file) is
// found from there still. `node scripts/stage-packages.mjs`, after the build; vitest stages before it runs tests, whose
// processes these are. A package that is no older than what it is made of stays as it is.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Modules that a process of their own begins with: they are named by their URL. */
const STARTED = /\bdist\/([\w/-]+)\.js"/g;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stage = join(root, "tmp", "packages");

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const modulesOf = (dist) =>
  readdirSync(dist, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(dist, name));

/** What exports, commands and processes of a package begin with, by where it lies: { index: "/.../dist/index.js" }. */
function entriesOf(folder, { exports, bin = {} }) {
  const exported = Object.values(exports).flatMap(({ default: path }) => path ?? []); // a data file has no conditions
  const sources = [...modulesOf(join(folder, "dist")), ...Object.values(bin).map((path) => join(folder, path))];
  const texts = sources.map((path) => readFileSync(path, "utf8"));
  const started = texts.flatMap((text) => Array.from(text.matchAll(STARTED), ([, name]) => name));
  const names = [...exported.map((path) => path.replace(/^\.\/dist\/|\.js$/g, "")), ...started];
  return Object.fromEntries(names.map((name) => [name, join(folder, "dist", `${name}.js`)]));
}

/** Modules know where they were, whatever file they are in now. */
const ownUrls = (dist) => ({
  name: "own-urls",
  transform: (code, id) => code.replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(dist, id))}, dist)`),
});

async function bundle(folder, manifest, dist) {
  const bundled = await rolldown({
    input: entriesOf(folder, manifest),
    platform: "node",
    external: (name) => /^[^./]/.test(name),
    plugins: [ownUrls(join(folder, "dist"))],
    logLevel: "silent",
  });
  for (const module of modulesOf(dist)) rmSync(module);
  const up = (fileName) => "../".repeat(fileName.split("/").length - 1) || "./";
  await bundled.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    banner: ({ fileName }) => `const dist = /* @__PURE__ */ new URL("${up(fileName)}", import.meta.url);`,
  });
  await bundled.close();
}

/** When a file, or the last of a folder, was written; 0 for what is not there. */
function writtenMs(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  const within = found.isDirectory() ? readdirSync(path).map((name) => writtenMs(join(path, name))) : [];
  return Math.max(found.mtimeMs, ...within);
}

/** What a package is published with, and programs that its tests start, which no tarball takes. */
function contentsOf(folder, { files }) {
  const names = new Set(["LICENSE", ...files, "examples", "tests/programs"]);
  const contents = Array.from(names, (name) => ({ from: join(folder, name), name }));
  // Builds its C with the user's compiler, the runtime's too.
  if (files.includes("runtime")) contents.push({ from: join(root, "runtime"), name: "runtime" });
  return contents.filter(({ from }) => existsSync(from));
}

/** Processes may be running what is staged: a package takes the place of the one before in one step. */
async function stagePackage(name, gitHead) {
  const [folder, staged, beside] = [join(root, "packages", name), join(stage, name), join(root, "tmp/staging", name)];
  const [manifest, begun] = [manifestOf(folder), new Date()];
  const text = `${JSON.stringify({ ...manifest, gitHead }, null, 2)}\n`;
  const contents = contentsOf(folder, manifest);
  const sources = [...contents.map(({ from }) => from), join(folder, "package.json"), fileURLToPath(import.meta.url)];
  const stamp = join(staged, "package.json");
  if (Math.max(...sources.map(writtenMs)) < writtenMs(stamp)) {
    if (readFileSync(stamp, "utf8") === text) return;
    writeFileSync(stamp, text);
  } else {
    rmSync(beside, { recursive: true, force: true });
    for (const { from, name } of contents)
      cpSync(from, join(beside, name), { recursive: true, filter: (path) => !path.endsWith(".map") });
    await bundle(folder, manifest, join(beside, "dist"));
    // Others' packages of versions that only this one takes; the rest is found in the tree's own folder.
    const own = join(folder, "node_modules");
    if (existsSync(own)) symlinkSync(own, join(beside, "node_modules"));
    writeFileSync(join(beside, "package.json"), text);
    mkdirSync(stage, { recursive: true });
    if (existsSync(staged)) renameSync(staged, `${beside}.before`);
    renameSync(beside, staged);
    rmSync(`${beside}.before`, { recursive: true, force: true });
  }
  // What was written meanwhile is newer.
  utimesSync(stamp, begun, begun);
}

/** Makes a link to what it should be, where it is not. */
function link(path, target) {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    if (readlinkSync(path) === target) return;
    rmSync(path);
  }
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Only what is built is staged; a copy of some packages has nothing. */
export default async function stagePackages() {
  const names = readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "dist")));
  if (!names.includes("bench")) return;
  // What result files name: a package that is installed lies in no checkout.
  const { commitHash } = await import(join(root, "packages/bench/dist/results/commit-hash.js"));
  const gitHead = commitHash();
  for (const name of existsSync(stage) ? readdirSync(stage) : [])
    if (!names.includes(name)) rmSync(join(stage, name), { recursive: true });
  for (const name of names) await stagePackage(name, gitHead);
  // So that they find each other, and who works below tmp the command, and no package of this tree.
  const found = join(root, "tmp", "node_modules");
  link(join(found, "@stowage"), "../packages");
  link(join(found, ".bin/stowage"), "../../packages/cli/bin/stowage.js");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await stagePackages();
