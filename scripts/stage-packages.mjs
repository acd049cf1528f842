// The packages as they are published, under tmp/packages: as here, but the modules of each library are one file, for
// Node takes half a millisecond a module to start. What a module finds by its own URL (a child process, a data file) is
// found from there still. `node scripts/stage-packages.mjs`, after `npm run build`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Modules that a process of their own begins with: they are named by their URL. */
const STARTED = /\bdist\/([\w/-]+)\.js"/g;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stage = join(root, "tmp", "packages");

/** What result files name: a package that is installed lies in no checkout. */
const { commitHash } = await import(join(root, "packages/bench/dist/index.js"));
const gitHead = commitHash();

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

async function stagePackage(name) {
  const [folder, staged] = [join(root, "packages", name), join(stage, name)];
  const manifest = manifestOf(folder);
  mkdirSync(staged, { recursive: true });
  writeFileSync(join(staged, "package.json"), `${JSON.stringify({ ...manifest, gitHead }, null, 2)}\n`);
  for (const file of ["LICENSE", ...manifest.files]) {
    if (existsSync(join(folder, file)))
      cpSync(join(folder, file), join(staged, file), { recursive: true, filter: (path) => !path.endsWith(".map") });
  }
  // Builds its C with the user's compiler, the runtime's too.
  if (manifest.files.includes("runtime")) cpSync(join(root, "runtime"), join(staged, "runtime"), { recursive: true });
  await bundle(folder, manifest, join(staged, "dist"));
}

rmSync(stage, { recursive: true, force: true });
const names = readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "dist")));
for (const name of names) await stagePackage(name);
// So that they find each other, and no package of this tree.
const found = join(root, "tmp", "node_modules", "@stowage");
rmSync(found, { recursive: true, force: true });
mkdirSync(dirname(found), { recursive: true });
symlinkSync("../packages", found);
console.log(`stage: tmp/packages: ${names.length} packages`);
