import { Command, Option } from "commander";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

export function benchCommand(): Command {
  return new Command("bench")
    .description("pack and unpack datatypes, check every byte, and print GB/s beside memcpy of the same size")
    .argument(
      "[TYPES...]",
      `${TYPE_ARGUMENT}; workloads also at a size of their own as vector-8@64MiB, or in groups; without any, ddtbench, or on a device peers-gpu`,
    )
    .option(
      "--backend <names>",
      "backends, separated by commas; all; or auto for the engine's choice (default: auto; on a device all)",
    )
    .option("--size <bytes>", "scale to about this many packed bytes (1MiB, or several: 1KiB,1MiB)")
    .option("--count <n>", "elements of each datatype")
    .addOption(
      new Option("--mode <mode>", "the public call with other views each time, a plan that was bound once, or both")
        .choices(["call", "bound", "both"])
        .default("both"),
    )
    .option("--threads <n>", "x64 on this many threads too, beside x64 on one")
    .option("--budget <ms>", "time to spend on each contender of a cell in each mode", "40")
    .option("--peers", "compare with every MPI here, plain C and memcpy, each in a process of its own; ratios first")
    .option(
      "--calls",
      "what a call costs besides moving bytes: bound, rebound, the public call, commits; also on a device",
    )
    .option(
      "--pingpong",
      "under mpirun -n 2: messages there and back by the MPI's datatypes, by hand, by ours and of plain bytes",
    )
    .option("--commits", "what committing costs here and in every MPI, instead of what packing does")
    .addOption(
      new Option("--device <kind>", "data in a GPU's memory, beside the driver's own copies").choices(["cuda"]),
    )
    .addOption(
      new Option("--route <route>", "on a device: where packed bytes lie (default: device)").choices([
        "device",
        "one-shot",
        "all",
      ]),
    )
    .option("--simulated", "on a device: a simulated one, right but no measure of time")
    .addOption(
      new Option(
        "--contend <load>",
        "what packing to the host and an application's work cost each other, beside a kernel on every SM or a copy",
      ).choices(["sm", "h2d", "d2h"]),
    )
    .option("--plot <file>", "with --contend: draw its table as an SVG")
    .addOption(
      new Option(
        "--application <name>",
        "under mpirun: a stencil by ranks with its halo exchange by each way in turns, or vectors or bytes there and back; also on a device",
      ).choices(["stencil-3d", "stencil-2d", "vectors", "transfers"]),
    )
    .option("--points <list>", "of a stencil: points of a rank along each dimension (default: the papers')")
    .addOption(new Option("--element <type>", "of a stencil (default: the papers')").choices(["float", "double"]))
    .option("--uneven", "of a stencil: parts of odd and unequal lengths, ranks that begin at other times")
    .option("--blocks <list>", "of vectors: bytes of a block (default: 8,32,128)")
    .option("--iterations <n>", "of an application: what medians are of")
    .option("--list", "print the workloads and groups that can be named")
    .option("--out <file>", "write a result file, kept whole after every datatype")
    .option("--json", "print the result file instead of a table")
    .action(async (types: readonly string[], options: object) => {
      const { bench } = await import("../bench/bench.js");
      await bench(types, options);
    });
}
