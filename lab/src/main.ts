import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newCommand } from "./old-commands.js";
import { optionsText } from "./options.js";
import { experiment, experimentNames } from "./registry.js";
import { report } from "./report.js";
import { COMMON, runExperiment } from "./run.js";

const USAGE = `lab list                     every experiment and its question
lab run NAME [OPTIONS]       runs one; --help tells its options
lab run OLD COMMAND          as the command that it has become; \`mpirun -n 2 node ...\` too
lab report FILE... [--plots FOLDER]`;

const SELF = fileURLToPath(new URL("../bin/lab.mjs", import.meta.url));
const [, , command, ...words] = process.argv;
// A reader that has had enough, as in `lab list | head`, is no error.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 2));
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`lab: ${(error as Error).message}`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  switch (command ?? "--help") {
    case "list":
      for (const name of experimentNames()) console.log(`${name.padEnd(28)} ${(await experiment(name)).question}`);
      return 0;
    case "run":
      return run();
    case "report": {
      const at = words.indexOf("--plots");
      const plots = at < 0 ? undefined : words[at + 1];
      const files = at < 0 ? words : words.toSpliced(at, 2);
      if (files.length === 0) throw new Error("report: expected result files, got none");
      for (const file of files) console.log(`## ${file}\n\n${await report(file, plots)}\n`);
      return 0;
    }
    default:
      console.log(USAGE);
      return command === undefined || command === "--help" ? 0 : 2;
  }
}

async function run(): Promise<number> {
  const [name = "", ...own] = words;
  if (experimentNames().includes(name)) {
    const asked = await experiment(name);
    if (own.includes("--help")) console.log(`${asked.question}\n${optionsText({ ...asked.options, ...COMMON })}`);
    else await runExperiment(asked, own);
    return 0;
  }
  // A command may be one word of a shell.
  const moved = newCommand(words.length === 1 ? name : words);
  if (moved === undefined)
    throw new Error(`run: expected an experiment of \`npx lab list\` or an old command, got ${name}`);
  if (moved.experiment !== undefined && moved.launcher.length === 0) {
    await runExperiment(await experiment(moved.experiment), moved.words);
    return 0;
  }
  const program = moved.experiment === undefined ? [moved.file as string] : [SELF, "run", moved.experiment];
  if (!existsSync(program[0] as string)) throw new Error(`run: expected ${program[0]}, got no such file`);
  const [file = "", ...args] = [...launcherOf(moved.launcher), process.execPath, ...program, ...moved.words];
  return spawnSync(file, args, { stdio: "inherit" }).status ?? 1;
}

/** VARIABLE=value before a command is a shell's. */
function launcherOf(launcher: readonly string[]): readonly string[] {
  return launcher.some((word) => /^\w+=/.test(word)) ? ["env", ...launcher] : launcher;
}
