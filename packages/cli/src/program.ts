import { readFileSync } from "node:fs";
import { Command } from "commander";
import { benchCommand } from "./commands/bench.js";
import { cacheCommand } from "./commands/cache.js";
import { calibrateCommand } from "./commands/calibrate.js";
import { compileCommand } from "./commands/compile.js";
import { doctorCommand } from "./commands/doctor.js";
import { exploreCommand } from "./commands/explore.js";
import { explainCommand } from "./commands/explain.js";
import { interposerCommand } from "./commands/interposer.js";
import { overheadsCommand } from "./commands/overheads.js";
import { profileCommand } from "./commands/profile.js";
import { regretCommand } from "./commands/regret.js";
import { reportCommand } from "./commands/report.js";
import { runCommand } from "./commands/run.js";
import { verifyCommand } from "./commands/verify.js";
import { print } from "./print.js";

const SUBCOMMANDS = [
  explainCommand,
  exploreCommand,
  verifyCommand,
  compileCommand,
  runCommand,
  cacheCommand,
  interposerCommand,
  benchCommand,
  overheadsCommand,
  reportCommand,
  doctorCommand,
  calibrateCommand,
  profileCommand,
  regretCommand,
];

/** The `stowage` command with all its subcommands. */
export function createProgram(): Command {
  const program = new Command("stowage")
    .description("Packs, unpacks and moves MPI derived datatypes, and shows how.")
    .version(version())
    .option("--trace", "print the stack of an error")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()) });
  for (const command of SUBCOMMANDS) program.addCommand(command().copyInheritedSettings(program));
  return program;
}

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
