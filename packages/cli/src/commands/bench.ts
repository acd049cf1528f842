import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

const WHOLE = { kind: "whole" } as const;
const OUTPUTS = ["--out", "--json"];

export function benchCommand(): Command {
  const bench = new Command("bench")
    .description("pack and unpack datatypes, check every byte, and print GB/s beside memcpy of the same size")
    .argument(
      "[TYPES...]",
      `${TYPE_ARGUMENT}; workloads also as vector-8@64MiB, or groups; without any ddtbench, on a device peers-gpu`,
    );
  const kinds = [
    option("--peers", "compare with every MPI here, plain C and memcpy, each in a process of its own; ratios first", {
      only: ["TYPES", "--backend", "--size", "--count", "--mode", "--budget", ...OUTPUTS],
    }),
    option(
      "--calls",
      "what a call costs besides moving bytes: bound, rebound, the public call, commits; also on a device",
      { only: ["--backend", "--device", "--simulated", "--budget", ...OUTPUTS] },
    ),
    option("--commits", "what committing costs here and in every MPI, instead of what packing does", {
      only: ["TYPES", "--backend", "--size", "--count", "--budget", ...OUTPUTS],
    }),
    option(
      "--pingpong",
      "under mpirun -n 2: messages there and back: by the MPI's datatypes, packed by hand, packed by Stowage, and of plain bytes",
      { only: ["TYPES", "--size", "--budget", ...OUTPUTS] },
    ),
    option("--list", "print the workloads and groups that can be named", { only: ["--json"] }),
  ];
  const what = [
    option(
      "--backend <names>",
      "backends, separated by commas; all; or auto for the engine's choice (default: auto; on a device all)",
      {
        value: { kind: "text" },
      },
    ),
    option(
      "--size <bytes>",
      "scale to about so many packed bytes, in B, KiB, MiB or GiB: 1MiB, or several: 4096,64KiB",
      {
        value: { kind: "bytes", isList: true },
      },
    ),
    option("--count <n>", "elements of each datatype", { value: WHOLE, excludes: ["--size"] }),
    option("--mode <mode>", "the public call with other views each time, a plan that was bound once, or both", {
      value: { kind: "choice", of: ["call", "bound", "both"] },
      byDefault: "both",
    }),
    option("--threads <n>", "x64 on this many threads too, beside x64 on one", {
      value: WHOLE,
      excludes: ["--device"],
    }),
    option("--budget <ms>", "time to spend on each contender of a cell in each mode", { value: WHOLE, byDefault: 40 }),
  ];
  const device = [
    option("--device <kind>", "data in a GPU's memory, beside the driver's own copies", {
      value: { kind: "choice", of: ["cuda"] },
    }),
    option("--route <route>", "on a device: where packed bytes lie (default: device)", {
      value: { kind: "choice", of: ["device", "one-shot", "all"] },
      needs: ["--device"],
    }),
    option("--simulated", "on a device: a simulated one, right but no measure of time", {
      needs: ["--device"],
      excludes: ["--out"],
    }),
  ];
  const outputs = [
    option("--out <file>", "write a result file, kept whole after every datatype", {
      value: { kind: "output", of: "file" },
    }),
    jsonOption("print the result file instead of a table"),
  ];
  bench.optionsGroup("What is measured:");
  for (const each of kinds) bench.addOption(each);
  bench.optionsGroup("Of what, and by whom:");
  for (const each of what) bench.addOption(each);
  bench.optionsGroup("On a GPU:");
  for (const each of device) bench.addOption(each);
  bench.optionsGroup("Output:");
  for (const each of outputs) bench.addOption(each);
  return withExamples(bench, [
    ["stowage bench", "the 89 datatypes of ddtbench, by the engine's choice"],
    ["stowage bench @mine.json --size 1KiB,1MiB", "your own, at two sizes"],
    ["stowage bench vector-8@64MiB --peers", "beside every MPI that is installed"],
    ["stowage bench --device cuda --route all", "on a GPU"],
  ]).action(async (types: readonly string[], options: object) => {
    const { bench: run } = await import("../bench/bench.js");
    await run(types, options as never);
  });
}
