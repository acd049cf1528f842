// The recipes of docs/ followed as they are printed, in a copy of the packages that they change: the blocks marked
// `diff` are applied, then the tests of the blocks marked `sh` are run. (docs/guide/1-add-a-backend.md is followed by
// outside/run.mjs.)
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const RECIPES = [
  { document: "docs/guide/2-add-a-pass.md", folders: ["packages/ir"] },
  { document: "docs/guide/3-add-an-instruction.md", folders: ["packages/asm-x64"] },
  { document: "docs/guide/4-add-a-rule.md", folders: ["packages/backend-x64"] },
  { document: "docs/guide/5-add-a-carrier.md", folders: ["packages/mpi-bridge"] },
  { document: "docs/guide/6-add-a-route.md", folders: ["packages/interposer", "runtime"] },
];

const blocksOf = (text, language) =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "gm"))].map(([, block]) =>
    unindented(block),
  );

function unindented(block) {
  const [indent] = /^ */.exec(block);
  return block.replaceAll(new RegExp(`^ {${indent.length}}`, "gm"), "");
}

/** The tracked files of packages and what their tests run by; their dependencies are the workspace's. */
function copyOf(folders) {
  const home = mkdtempSync(join(tmpdir(), "stowage-recipes-"));
  const scripts = ["scripts/stage-packages.mjs", "scripts/equal-bytes.mjs"];
  const besides = ["packages/*/tsconfig.json", "vitest.config.ts", ...scripts, "tsconfig.base.json"];
  const words = ["ls-files", ...folders, ...besides, "package.json"];
  for (const file of execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim().split("\n")) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    cpSync(join(root, file), join(home, file));
  }
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
  return home;
}

const run = (home, command, words) => execFileSync(command, words, { cwd: home, encoding: "utf8", stdio: "pipe" });

/** Applies the diffs of a recipe; its commands, which are tests alone: { variables, paths }. */
function applied(home, { document }) {
  const text = readFileSync(join(root, document), "utf8");
  const [diffs, commands] = [blocksOf(text, "diff"), blocksOf(text, "sh").join("").trim().split("\n")];
  if (diffs.length === 0 || commands[0] === "")
    throw new Error(`${document}: expected blocks of diff and of sh, got none`);
  for (const diff of diffs) {
    writeFileSync(join(home, "recipe.diff"), diff);
    run(home, "git", ["apply", "recipe.diff"]);
  }
  return commands.map((command) => {
    const [, variables, paths] = /^((?:\w+=\S+ )*)npx vitest run (.+)$/.exec(command) ?? [];
    if (paths === undefined) throw new Error(`${document}: expected npx vitest run PATHS, got ${command}`);
    return { variables, paths };
  });
}

// One run of the tests of all: most of a run is to read what the packages share.
const home = copyOf(RECIPES.flatMap(({ folders }) => folders));
try {
  const commands = RECIPES.flatMap((recipe) => applied(home, recipe));
  const all = (part) => commands.map((command) => command[part]).join(" ");
  run(home, "sh", ["-c", `${all("variables")} npx vitest run ${all("paths")}`]);
  for (const { document } of RECIPES) console.log(`outside: ${document}: passed`);
} catch (error) {
  console.error(`outside: recipes: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true });
}
