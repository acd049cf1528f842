import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

interface StartOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

export function startCommand(): Command {
  const start = new Command("start")
    .description(
      "pack and unpack the 89 datatypes of DDTBench, check every byte, and say in five lines how fast that is",
    )
    .addOption(option("--all", "the table of all datatypes first", { excludes: ["--json"] }))
    .addOption(jsonOption("print the measured rows as JSON"));
  return withExamples(start, [
    ["stowage start", "a first look, in half a minute"],
    ["stowage start --all", "and what each datatype took"],
  ]).action(async (options: StartOptions) => {
    const { start: run } = await import("../start/start.js");
    await run(options);
  });
}
