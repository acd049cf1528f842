// The packages as a stranger meets them: every tarball installed in an empty folder, every README's example
// type-checked and run, a backend of one's own registered and put under the laws.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = mkdtempSync(join(tmpdir(), "stowage-outside-"));
const versions = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies;

const run = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NX_DAEMON: "false" },
  });

const packages = readdirSync(join(root, "packages"))
  .map((folder) => join(root, "packages", folder))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, name: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name }));

function installTarballs() {
  const tarballs = JSON.parse(run("npm", ["pack", "--workspaces", "--json", "--pack-destination", home], root));
  const files = Object.values(tarballs).map(({ filename }) => `./${filename}`);
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  const tools = ["typescript", "@types/node", "vitest", "fast-check"].map((tool) => `${tool}@${versions[tool]}`);
  run("npm", ["install", "--no-audit", "--no-fund", ...files, ...tools, "tsyringe", "reflect-metadata"], home);
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

const readmeOf = (folder) => {
  const path = join(folder, "README.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** The first ts block of each README, as a program of its own. */
function writeExamples() {
  mkdirSync(join(home, "examples"));
  for (const { folder, name } of packages) {
    const [, example] = /```ts\n([\s\S]*?)```/.exec(readmeOf(folder)) ?? [];
    check(`README of ${name} has an example`, () => assert.ok(example, "expected a ts block, got none"));
    if (example === undefined) continue;
    writeFileSync(join(home, "examples", `${name.replace("@stowage/", "")}.ts`), example);
  }
}

function writeProject() {
  cpSync(join(root, "outside", "project"), home, { recursive: true });
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable", "DOM"],
    types: ["node"],
    module: "NodeNext",
    strict: true,
    outDir: "out",
    rootDir: ".",
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["examples", "*.ts"] }));
}

try {
  installTarballs();
  writeExamples();
  writeProject();
  check("types of every example", () => run("npx", ["tsc"], home));
  for (const file of readdirSync(join(home, "out", "examples")).filter((name) => name.endsWith(".js"))) {
    check(`example of ${file.replace(".js", "")}`, () => {
      if (run("node", [join("out", "examples", file)], home).trim() === "")
        throw new Error("expected output, got none");
    });
  }
  check("the laws on a backend of one's own", () => run("npx", ["vitest", "run", "--dir", ".", "laws.test.ts"], home));
  check("a backend of one's own through tsyringe", () => run("node", [join("out", "register-own-backend.js")], home));
  check("the command", () => run("npx", ["stowage", "explain", "MPI_DOUBLE"], home));
} finally {
  rmSync(home, { recursive: true, force: true });
}
const passed = checks.filter(Boolean).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exitCode = passed === checks.length ? 0 : 1;
