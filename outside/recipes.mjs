// The recipes of docs/ followed as they are printed, in a copy of the packages that they change: the blocks marked
// `diff` are applied, then the lines of the block marked `sh` are run. (docs/guide/1-add-a-backend.md is followed by
// outside/run.mjs.)
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const RECIPES = [
  { document: "docs/guide/2-add-a-pass.md", folder: "packages/ir" },
  { document: "docs/guide/3-add-an-instruction.md", folder: "packages/asm-x64" },
  { document: "docs/guide/4-add-a-rule.md", folder: "packages/backend-x64" },
  { document: "docs/guide/5-add-a-carrier.md", folder: "packages/mpi-bridge" },
  { document: "docs/guide/6-add-a-route.md", folder: "packages/interposer", besides: ["runtime"] },
];

const blocksOf = (text, language) =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "gm"))].map(([, block]) =>
    unindented(block),
  );

function unindented(block) {
  const [indent] = /^ */.exec(block);
  return block.replaceAll(new RegExp(`^ {${indent.length}}`, "gm"), "");
}

/** The tracked files of one package and what its tests run by; its dependencies are the workspace's. */
function copyOf(folder, besides = []) {
  const home = mkdtempSync(join(tmpdir(), "stowage-recipe-"));
  const files = execFileSync(
    "git",
    [
      "ls-files",
      folder,
      ...besides,
      "packages/*/tsconfig.json",
      "vitest.config.ts",
      "tsconfig.base.json",
      "package.json",
    ],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const file of files.trim().split("\n")) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    cpSync(join(root, file), join(home, file));
  }
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
  return home;
}

function follow({ document, folder, besides }) {
  const text = readFileSync(join(root, document), "utf8");
  const [diffs, commands] = [blocksOf(text, "diff"), blocksOf(text, "sh").join("").trim().split("\n")];
  if (diffs.length === 0 || commands[0] === "") throw new Error("expected blocks of diff and of sh, got none");
  const home = copyOf(folder, besides);
  try {
    diffs.forEach((diff, i) => {
      writeFileSync(join(home, `${i}.diff`), diff);
      execFileSync("git", ["apply", `${i}.diff`], { cwd: home, encoding: "utf8", stdio: "pipe" });
    });
    for (const command of commands) execFileSync("sh", ["-c", command], { cwd: home, encoding: "utf8", stdio: "pipe" });
  } finally {
    rmSync(home, { recursive: true });
  }
}

let failed = 0;
for (const recipe of RECIPES) {
  try {
    follow(recipe);
    console.log(`outside: ${recipe.document}: passed`);
  } catch (error) {
    failed++;
    console.error(`outside: ${recipe.document}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  }
}
if (failed > 0) process.exit(1);
