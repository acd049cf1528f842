// The packages as a stranger meets them: every tarball installed in an empty folder, every program of README, docs and
// the packages' READMEs type-checked and run as it is printed, a backend of one's own registered and put under the
// laws, and one that was packed with the previous backend-api run by today's engine.
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { checkDeclarations, QUICK_COMPILERS } from "./declarations.mjs";
import { packPreviousBackend } from "./previous-backend.mjs";
import { programsOf } from "./programs.mjs";
import { install, packAll, packages, root, run } from "./tarballs.mjs";

const home = mkdtempSync(join(tmpdir(), "stowage-outside-"));
const versions = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies;

function installAll(tarballs) {
  const previous = packPreviousBackend(home, join(root, "node_modules/typescript-7/bin/tsc"));
  const tools = ["@types/node", "vitest", "fast-check"].map((tool) => `${tool}@${versions[tool]}`);
  const files = [...tarballs.map(({ filename }) => filename), previous];
  install(home, files, [...tools, ...QUICK_COMPILERS, "tsyringe", "reflect-metadata"]);
}

const checks = [];
const check = (what, work) => {
  try {
    work();
    checks.push(true);
    console.log(`outside: ${what}: passed`);
  } catch (error) {
    checks.push(false);
    console.error(`outside: ${what}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  }
};

/** Folders beside a package's modules that a README may point to, with a file or without. */
const NAMED_PATH = /`((?:examples|runtime|man|golden)\/[\w./-]*)`/g;

/** What a tarball must hold, and what it must not. */
function checkTarball({ name, files }) {
  const paths = files.map(({ path }) => path);
  for (const needed of ["LICENSE", "README.md"]) assert.ok(paths.includes(needed), `expected ${needed}, got none`);
  const { folder } = packages.find((each) => each.name === name);
  for (const [, named] of readFileSync(join(folder, "README.md"), "utf8").matchAll(NAMED_PATH)) {
    const isThere = paths.some((path) => path === named || path.startsWith(named.replace(/\/?$/, "/")));
    assert.ok(isThere, `${name}: expected ${named}, which its README names, got none`);
  }
  const maps = paths.filter((path) => path.endsWith(".map"));
  assert.ok(maps.length === 0, `${name}: expected no source map, got ${maps[0]}`);
}

const documents = [
  join(root, "README.md"),
  ...["guide", "design"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md") && name !== "first-hour.md") // first-hour.mjs replays that
      .map((name) => join(root, "docs", folder, name)),
  ),
  ...packages.map(({ folder }) => join(folder, "README.md")),
];

/** Every program of every document as a file of its own, named for the place where it is printed. */
function writeExamples() {
  mkdirSync(join(home, "examples"));
  for (const { folder, name } of packages) {
    const count = programsOf(join(folder, "README.md")).length;
    check(`README of ${name} has an example`, () => assert.ok(count > 0, "expected a ts block, got none"));
  }
  for (const document of documents) {
    const place = relative(root, document)
      .replace(/^packages\//, "")
      .replace(/\.md$/, "")
      .replaceAll("/", "-");
    for (const { language, source, line } of programsOf(document)) {
      writeFileSync(join(home, "examples", `${place}-line-${line}.${language === "js" ? "mjs" : "ts"}`), source);
    }
  }
}

function writeProject() {
  cpSync(join(root, "outside", "project"), home, { recursive: true });
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "DOM"],
    types: ["node"],
    module: "NodeNext",
    strict: true,
    allowJs: true,
    checkJs: true,
    outDir: "out",
    rootDir: ".",
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["examples", "*.ts"] }));
}

/** The package of compile alone, as a C user has it: its example is built over its runtime, and runs. */
function loadStoredCode() {
  const folder = join(home, "node_modules", "@stowage", "compile");
  const [example, runtime] = [join(folder, "examples", "artifact"), join(folder, "runtime")];
  const [, document] = /^COLUMN = '(.*)'$/m.exec(readFileSync(join(example, "Makefile"), "utf8"));
  run("npx", ["stowage", "compile", document, "-o", "column", "--language", "artifact"], home);
  const sources = [join(example, "load.c"), join(runtime, "stowage.c")];
  run("cc", ["-std=c11", "-Wall", "-Wextra", "-Werror", `-I${runtime}`, "-o", "load", ...sources], home);
  assert.equal(run(join(home, "load"), ["column"], home), "0 of 4 numbers are wrong\n");
}

const hasCompiler = spawnSync("cc", ["--version"]).status === 0;

/** As many cases a law as `npm test` takes (vitest.config.ts): the usual 2,000 take most of this file's time. */
const LAW_RUNS = { STOWAGE_LAW_RUNS: process.env.STOWAGE_LAW_RUNS ?? "100" };

const TELL_COMMIT = 'import { commitHash } from "@stowage/bench"; console.log(commitHash());';

try {
  const tarballs = packAll(home);
  for (const tarball of tarballs) check(`tarball of ${tarball.name}`, () => checkTarball(tarball));
  installAll(tarballs);
  checkDeclarations(home, check);
  writeExamples();
  writeProject();
  check("types of every example", () =>
    run(process.execPath, [join("node_modules", "typescript-7", "bin", "tsc")], home),
  );
  for (const name of readdirSync(join(home, "examples"))) {
    // Plain JavaScript runs as it is printed; TypeScript as the compiler leaves it.
    const file = name.endsWith(".mjs") ? join("examples", name) : join("out", "examples", name.replace(/ts$/, "js"));
    check(`program of ${basename(name)}`, () => {
      if (run("node", [file], home).trim() === "") throw new Error("expected output, got none");
    });
  }
  check("the laws on a backend of one's own", () =>
    run("npx", ["vitest", "run", "--dir", ".", "laws.test.ts"], home, LAW_RUNS),
  );
  check("a backend of one's own through tsyringe", () => run("node", [join("out", "register-own-backend.js")], home));
  check("a backend of the previous backend-api", () => run("node", [join("out", "run-previous-backend.js")], home));
  check("the commit that results name", () => {
    const told = run("node", ["--input-type=module", "-e", TELL_COMMIT], home).trim();
    const { gitHead } = JSON.parse(readFileSync(join(root, "tmp/packages/bench/package.json"), "utf8"));
    assert.equal(told, process.env.STOWAGE_COMMIT ?? gitHead);
  });
  if (hasCompiler) check("the example and the runtime of @stowage/compile", loadStoredCode);
  else console.warn("outside: no C compiler: the example of @stowage/compile was not built");
  check("the command", () => run("npx", ["stowage", "explain", "MPI_DOUBLE"], home));
} finally {
  rmSync(home, { recursive: true, force: true });
}
const passed = checks.filter(Boolean).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exitCode = passed === checks.length ? 0 : 1;
