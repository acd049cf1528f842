import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

const MOST_RANKS = 256;
const MOST_PROJECTED = 2 ** 20;

export function overheadsCommand(): Command {
  const overheads = new Command("overheads")
    .description("what an MPI costs besides moving data: ten overheads, in C and from Node, measured and projected")
    .argument("[EXPERIMENTS...]", "stack, requests, matching, ... (default: all ten)")
    .addOption(
      option(
        "--mpi <name>",
        "openmpi, mpich or the path of a library (default: the mpirun that started this, or all here)",
        { value: { kind: "text" } },
      ),
    )
    .addOption(
      option("--ranks <n>", "processes of each experiment, or several worlds: 2,4,8 (default: mpirun's, or 2)", {
        value: { kind: "whole", most: MOST_RANKS, isList: true },
      }),
    )
    .addOption(option("--quick", "fewer points and samples: all of it in under a minute"))
    .addOption(option("--despite-load", "measure on a busy machine too; what was disturbed decides no finding"))
    .addOption(
      option("--by <caller>", "programs in C, Node through the bridge, or both", {
        value: { kind: "choice", of: ["c", "bridge", "both"] },
        byDefault: "both",
      }),
    )
    .addOption(
      option(
        "--project <ranks>",
        "predict so many ranks (131072) from worlds of 2 to 8, judged at 16, and simulate halo exchanges",
        { value: { kind: "whole", most: MOST_PROJECTED } },
      ),
    )
    .addOption(
      option("--from <files...>", "with --project: project from these result files, without measuring", {
        value: { kind: "input" },
        needs: ["--project"],
        excludes: ["EXPERIMENTS", "--mpi", "--ranks", "--quick", "--despite-load", "--by"],
      }),
    )
    .addOption(
      option(
        "--wire <ns,GB/s>",
        "with --project: a network's latency and bandwidth in place of shared memory (1500,25)",
        {
          value: { kind: "wire" },
          needs: ["--project"],
        },
      ),
    )
    .addOption(
      option("--grid <points>", "with --project: the simulated global grid in each dimension (default: 1024)", {
        value: { kind: "whole", most: MOST_PROJECTED },
        needs: ["--project"],
      }),
    )
    .addOption(
      option("--out <file>", "write a result file, kept whole after every program", {
        value: { kind: "output", of: "file" },
      }),
    )
    .addOption(
      option("--plots <folder>", "write SVG plots shaped like the paper's figures into this folder", {
        value: { kind: "output", of: "folder", isDrawn: true },
      }),
    )
    .addOption(jsonOption("print the result file instead of tables"));
  return withExamples(overheads, [
    ["stowage overheads --quick", "every MPI here, 2 ranks"],
    ["stowage overheads matching sparse --mpi mpich", "two of the ten, on MPICH"],
    ["stowage overheads --project 131072", "and what they are predicted to be at scale"],
  ]).action(async (experiments: readonly string[], options: object) => {
    const { overheads: run } = await import("../overheads/overheads.js");
    await run(experiments, options);
  });
}
