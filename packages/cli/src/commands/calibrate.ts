import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

export function calibrateCommand(): Command {
  const calibrate = new Command("calibrate")
    .description(
      "measure this machine once, so that backends are chosen by their times on it; an interrupted run goes on where it ended; under mpirun, add what the MPI's messages cost",
    )
    .addOption(
      option("--out <file>", "where the profile goes (default: where engines look for it)", {
        value: { kind: "output", of: "file" },
      }),
    )
    .addOption(option("--points <n>", "datatypes to measure at most", { value: { kind: "whole" }, byDefault: 260 }))
    .addOption(
      option("--seconds <n>", "time for all of it; below 30 the figures are rough (default: 60, with --device 120)", {
        value: { kind: "whole" },
      }),
    )
    .addOption(option("--rows <file>", "write what was measured too", { value: { kind: "output", of: "file" } }))
    .addOption(option("--device <kind>", "measure a GPU too", { value: { kind: "choice", of: ["cuda"] } }))
    .addOption(option("--simulated", "a simulated GPU, right but no measure of time", { needs: ["--device"] }))
    .addOption(
      option(
        "--withhold-description",
        "time every alternative of x64, as on a processor that nobody has described; without it those that its description is silent of",
      ),
    )
    .addOption(jsonOption("print the profile"));
  return withExamples(calibrate, [
    ["stowage calibrate", "a minute, once a machine"],
    ["mpirun -n 2 stowage calibrate", "then what messages of this MPI cost"],
  ]).action(async (options: object) => {
    const { calibrate: run } = await import("../calibrate/calibrate.js");
    await run(options as never);
  });
}
