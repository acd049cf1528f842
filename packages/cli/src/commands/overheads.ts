import { Command, Option } from "commander";

export function overheadsCommand(): Command {
  return new Command("overheads")
    .description("what an MPI costs besides moving data: ten overheads, in C and from Node, measured and projected")
    .argument("[EXPERIMENTS...]", "stack, requests, matching, ... (default: all ten)")
    .option(
      "--mpi <name>",
      "openmpi, mpich or the path of a library (default: the mpirun that started this, or all here)",
    )
    .option("--ranks <n>", "processes of each experiment, or several worlds: 2,4,8 (default: mpirun's, or 2)")
    .option("--quick", "fewer points and samples: all of it in under a minute")
    .addOption(
      new Option("--by <caller>", "programs in C, Node through the bridge, or both")
        .choices(["c", "bridge", "both"])
        .default("both"),
    )
    .option(
      "--project <ranks>",
      "predict so many ranks (131072) from worlds of 2 to 8, judged at 16, and simulate halo exchanges",
    )
    .option("--from <files...>", "with --project: of these result files, instead of measuring")
    .option("--wire <ns,GB/s>", "with --project: a network's latency and bandwidth in place of shared memory (1500,25)")
    .option("--grid <points>", "with --project: the simulated global grid in each dimension", "1024")
    .option("--out <file>", "write a result file, kept whole after every program")
    .option("--plots <folder>", "write SVG plots shaped like the paper's figures into this folder")
    .option("--json", "print the result file instead of tables")
    .action(async (experiments: readonly string[], options: object) => {
      const { overheads } = await import("../overheads/overheads.js");
      await overheads(experiments, options);
    });
}
