// What every package.json must say alike, and the LICENSE beside it, for a tarball holds only what lies in its
// package's folder. With --update both are rewritten; without, a difference fails. Keywords and descriptions are each
// package's own.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FEWEST_KEYWORDS = 3;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const update = process.argv.includes("--update");

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const workspace = JSON.parse(read(join(root, "package.json")));
const license = read(join(root, "LICENSE"));
const folders = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "package.json")),
);
const versionOf = new Map(
  folders.map((name) => {
    const manifest = JSON.parse(read(join(root, "packages", name, "package.json")));
    return [manifest.name, manifest.version];
  }),
);

/** Our own packages are accepted from the version that we test with up to the next that breaks. */
const withCarets = (dependencies) =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      versionOf.has(name) && !range.startsWith("^") ? `^${versionOf.get(name)}` : range,
    ]),
  );

/** The manifest as it must be, in npm's customary order. */
function completed({ name, version, description, keywords, ...rest }, folder) {
  const ranges = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].filter(
    (kind) => rest[kind] !== undefined,
  );
  return {
    name,
    version,
    description,
    keywords,
    homepage: `${workspace.homepage}/tree/main/packages/${folder}#readme`,
    bugs: workspace.bugs,
    repository: { ...workspace.repository, directory: `packages/${folder}` },
    ...omit(rest, ["homepage", "bugs", "repository", "publishConfig"]),
    license: workspace.license,
    engines: workspace.engines,
    publishConfig: { access: "public" },
    ...Object.fromEntries(ranges.map((kind) => [kind, withCarets(rest[kind])])),
  };
}

const omit = (record, names) => Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

function holds(path, expected) {
  if (read(path) === expected) return true;
  if (update) writeFileSync(path, expected);
  else console.error(`${path}: expected what \`node scripts/manifests.mjs --update\` writes, got another text`);
  return update;
}

function check(folder) {
  const path = join(root, "packages", folder, "package.json");
  const manifest = JSON.parse(read(path));
  const told = manifest.keywords?.length ?? 0;
  if (told < FEWEST_KEYWORDS) console.error(`${path}: expected at least ${FEWEST_KEYWORDS} keywords, got ${told}`);
  const isComplete = holds(path, `${JSON.stringify(completed(manifest, folder), null, 2)}\n`);
  return holds(join(dirname(path), "LICENSE"), license) && isComplete && told >= FEWEST_KEYWORDS;
}

const failed = folders.filter((folder) => !check(folder));
process.exitCode = failed.length === 0 ? 0 : 1;
