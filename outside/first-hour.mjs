// Replays docs/guide/first-hour.md: writes each file that a line ending in "`NAME`:" announces, runs each `$` line of
// its console blocks, and compares what is printed below it with what the run prints, a line `...` being any lines.
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = join(root, "tmp", "first-hour");
const BLOCK = /^```(console|js|json)\n([\s\S]*?)^```$/gm;

/** A pattern of the lines that a transcript shows. */
function patternOf(shown) {
  const escaped = shown.map((line) => (line === "..." ? "(.*\n)*?" : `${escape(line)}\n`));
  return new RegExp(`^${escaped.join("")}$`);
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function run(command, shown) {
  // Continuous integration asks for colours, which the document does not print.
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: home, encoding: "utf8", env });
  assert.equal(status, 0, `${command}: expected to end with status 0, got ${status}\n${stderr}`);
  assert.match(stdout, patternOf(shown), `${command}: expected what docs/guide/first-hour.md shows, got\n${stdout}`);
  console.log(`first hour: ${command}: as shown`);
}

/** The commands of a console block, each with the lines below it. */
function commandsOf(block) {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command, ...shown] = part.trimEnd().split("\n");
      return { command, shown };
    });
}

rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
const transcript = readFileSync(join(root, "docs/guide/first-hour.md"), "utf8");
for (const { 1: language, 2: text, index } of transcript.matchAll(BLOCK)) {
  const [, file] = /`([^`]+)`:\s*$/.exec(transcript.slice(0, index)) ?? [];
  if (language === "console") for (const { command, shown } of commandsOf(text)) run(command, shown);
  else writeFileSync(join(home, file), text);
}
