// The declarations of every entry point in projects that set neither `types` nor `lib`, as `tsc` alone checks them
// (skipLibCheck is off), and in a browser's. `node outside/declarations.mjs`, after `npm run build`: every kind of
// project by every release of TypeScript, and each entry point in a program of its own; outside/run.mjs has the quick
// ones.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, packAll, packages, run } from "./tarballs.mjs";

/** Releases by their folders in node_modules; the first is the least that declarations are for. */
const COMPILERS = { "typescript-5.7": "5.7", "typescript-5.9": "5.9", "typescript-6": "6", "typescript-7": "7" };

/** Packages whose programs run in browsers. */
const IN_BROWSERS = [
  ...["ir", "backend-api", "engine", "arrays", "streams", "backend-cpu", "workloads", "arbitraries"],
  ...["asm-x64", "ptx", "object-files", "explorer"],
].map((name) => `@stowage/${name}`);

const entryPoints = packages.flatMap(({ name, exports }) =>
  Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([path]) => ({ name, specifier: `${name}${path.slice(1)}` })),
);
const importsOf = (entries) =>
  entries.map(({ specifier }, index) => `export * as entry${index} from "${specifier}";\n`).join("");

const PROJECTS = [
  { name: "nodenext", source: importsOf(entryPoints), compilerOptions: { module: "NodeNext" } },
  {
    name: "bundler",
    source: importsOf(entryPoints),
    compilerOptions: { module: "ESNext", moduleResolution: "Bundler", target: "ES2022" },
  },
  {
    name: "browser",
    source: importsOf(entryPoints.filter(({ name }) => IN_BROWSERS.includes(name))),
    compilerOptions: {
      ...{ module: "ESNext", moduleResolution: "Bundler", target: "ES2022" },
      ...{ lib: ["ES2022", "DOM"], types: [] },
    },
  },
];
const ALONE = entryPoints.map((entry) => ({
  name: `alone-${entry.specifier.replaceAll(/[^a-z0-9]+/g, "-")}`,
  source: importsOf([entry]),
  compilerOptions: { module: "NodeNext" },
}));

function compile(home, compiler, { name, source, compilerOptions }) {
  const folder = join(home, "declarations", `${compiler}-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "entries.ts"), source);
  const options = { ...compilerOptions, strict: true, noEmit: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["entries.ts"] }));
  run(process.execPath, [join(home, "node_modules", compiler, "bin", "tsc"), "-p", folder], home);
}

const installed = (folder) => `${folder}@npm:typescript@${COMPILERS[folder]}`;

/** The compilers that `checkDeclarations` asks for. */
export const QUICK_COMPILERS = ["typescript-7"].map(installed);

/** The newest release's three projects, which take a second each: it knows no more globals than the others do. */
export function checkDeclarations(home, check) {
  for (const project of PROJECTS)
    check(`declarations by TypeScript 7, ${project.name}`, () => compile(home, "typescript-7", project));
}

function checkAll(home, check) {
  for (const compiler of Object.keys(COMPILERS))
    for (const project of PROJECTS) check(`${compiler}, ${project.name}`, () => compile(home, compiler, project));
  for (const project of ALONE) check(project.name, () => compile(home, "typescript-7", project));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const home = mkdtempSync(join(tmpdir(), "stowage-declarations-"));
  let [passed, failed] = [0, 0];
  try {
    const tarballs = packAll(home).map(({ filename }) => filename);
    install(home, tarballs, Object.keys(COMPILERS).map(installed));
    checkAll(home, (what, work) => {
      try {
        work();
        passed += 1;
      } catch (error) {
        failed += 1;
        console.error(`declarations: ${what}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
      }
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
