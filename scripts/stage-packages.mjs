// The packages as they are published, under tmp/packages: as here, but the modules of each library are one file, for
// Node takes half a millisecond a module to start. A package whose modules are found by their own URL (a child process,
// a data file) stays as it was compiled. `node scripts/stage-packages.mjs`, after `npm run build`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const NEEDS_ITS_URL = /\bnew URL\(|\bfileURLToPath\(|\bimport\(/;
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

/** What the exports of a package name, by where it lies under dist: { index: "/.../dist/index.js" }. */
const entriesOf = (folder, { exports }) =>
  Object.fromEntries(
    Object.values(exports)
      .flatMap(({ default: path }) => path ?? []) // a data file is named without conditions
      .map((path) => [path.replace(/^\.\/dist\/|\.js$/g, ""), join(folder, path)]),
  );

async function bundle(folder, manifest, dist) {
  const bundled = await rolldown({
    input: entriesOf(folder, manifest),
    platform: "node",
    external: (name) => /^[^./]/.test(name),
    logLevel: "silent",
  });
  for (const module of modulesOf(dist)) rmSync(module);
  await bundled.write({ dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" });
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
  const needsItsUrl = modulesOf(join(folder, "dist")).some((path) => NEEDS_ITS_URL.test(readFileSync(path, "utf8")));
  if (!needsItsUrl) await bundle(folder, manifest, join(staged, "dist"));
}

rmSync(stage, { recursive: true, force: true });
const names = readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "dist")));
for (const name of names) await stagePackage(name);
console.log(`stage: tmp/packages: ${names.length} packages`);
