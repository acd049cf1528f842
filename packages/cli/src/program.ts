import { readFileSync } from "node:fs";
import { Command } from "commander";
import { benchCommand } from "./commands/bench.js";
import { cacheCommand } from "./commands/cache.js";
import { calibrateCommand } from "./commands/calibrate.js";
import { compileCommand } from "./commands/compile.js";
import { completionCommand } from "./commands/completion.js";
import { doctorCommand } from "./commands/doctor.js";
import { exploreCommand } from "./commands/explore.js";
import { explainCommand } from "./commands/explain.js";
import { interposerCommand } from "./commands/interposer.js";
import { moduleCommand } from "./commands/module.js";
import { overheadsCommand } from "./commands/overheads.js";
import { profileCommand } from "./commands/profile.js";
import { regretCommand } from "./commands/regret.js";
import { reportCommand } from "./commands/report.js";
import { runCommand } from "./commands/run.js";
import { serveCommand } from "./commands/serve.js";
import { startCommand } from "./commands/start.js";
import { verifyCommand } from "./commands/verify.js";
import { checkOptions } from "./options/check-options.js";
import { withExamples } from "./options/examples.js";
import { print, writeFault } from "./print.js";

const GROUPS: readonly (readonly [heading: string, commands: readonly (() => Command)[]])[] = [
  ["Look at datatypes:", [startCommand, explainCommand, exploreCommand, verifyCommand]],
  [
    "Move their bytes in programs:",
    [runCommand, serveCommand, compileCommand, cacheCommand, interposerCommand, moduleCommand],
  ],
  ["Measure:", [benchCommand, overheadsCommand, reportCommand]],
  ["This machine:", [doctorCommand, calibrateCommand, profileCommand, regretCommand, completionCommand]],
];

/**
 * Makes the `stowage` command with all its subcommands; runProgram runs it.
 *
 * @example
 * ```ts
 * process.exitCode = await runProgram(createProgram(), process.argv);
 * ```
 */
export function createProgram(): Command {
  const program = new Command("stowage")
    .description("Packs, unpacks and moves MPI derived datatypes, and shows how.")
    .version(version())
    .option("--trace", "print the stack of an error")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      outputError: (text) => writeFault(parserFault(text)),
    })
    .hook("preAction", (_, command) => checkOptions(command));
  for (const [heading, commands] of GROUPS)
    for (const command of commands) program.addCommand(withSettings(command(), program).helpGroup(heading));
  return withExamples(program, [
    ["stowage explain MILC_su3_zdown/0", "bounds, layout, program, choice and a picture of a datatype"],
    ["stowage run -- mpirun -n 4 ./app", "an unmodified MPI program, with its datatypes packed by our code"],
    ["stowage bench --peers", "how fast packing is here, beside every MPI that is installed"],
    ["stowage doctor", "what this machine offers"],
  ]);
}

/** A command and those below it take over their parent's settings. */
function withSettings(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const each of command.commands) withSettings(each, command);
  return command;
}

/** What the parser says of a command line, in our form: "error: unknown option '--x'\n(Did you mean --y?)". */
const parserFault = (text: string): string => text.replace(/^error: /, "");

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
