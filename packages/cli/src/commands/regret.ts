import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

export function regretCommand(): Command {
  const regret = new Command("regret")
    .description(
      "how much longer the chosen backend takes than the best one, over the workloads: a seeded sample, or --all",
    )
    .addOption(option("--all", "every workload at every size", { excludes: ["--seed", "--seconds"] }))
    .addOption(
      option("--seconds <n>", "time for the sample: nothing is begun after it", {
        value: { kind: "whole" },
        byDefault: 400,
      }),
    )
    .addOption(option("--seed <n>", "seed of the sample", { value: { kind: "whole" }, byDefault: 1 }))
    .addOption(
      option("--threads <n>", "most threads that x64 may share a call among (default: 2)", {
        value: { kind: "whole" },
        excludes: ["--device"],
      }),
    )
    .addOption(option("--device <kind>", "data in a GPU's memory", { value: { kind: "choice", of: ["cuda"] } }))
    .addOption(
      option("--simulated", "a simulated GPU, right but no measure of time", {
        needs: ["--device"],
        excludes: ["--out"],
      }),
    )
    .addOption(
      option("--from <file>", "rows that an earlier run wrote with --out, scored anew: nothing is measured", {
        value: { kind: "input" },
        only: ["--threads", "--svg", "--json"],
      }),
    )
    .addOption(
      option("--svg <file>", "draw the share of cells by regret", {
        value: { kind: "output", of: "file", isDrawn: true },
      }),
    )
    .addOption(
      option("--out <file>", "write the measured rows, kept whole after every cell", {
        value: { kind: "output", of: "file" },
      }),
    )
    .addOption(jsonOption("print {median, p95, worst, rows}"));
  return withExamples(regret, [
    ["stowage regret --seconds 80", "a sample, by the figures of this machine's profile"],
    ["stowage regret --from rows.json", "an earlier run's rows, scored by the figures of now"],
  ]).action(async (options: object) => {
    const { regret: run } = await import("../regret/regret.js");
    await run(options as never);
  });
}
