import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

/** Named here too: the command is described before anything else is loaded. */
const MEMORY = { kind: "choice", of: ["host", "pinned", "device", "managed"] } as const;

export function explainCommand(): Command {
  const explain = new Command("explain")
    .description("show a datatype: bounds, signature, layout before and after each pass, program, backends, picture")
    .argument("[TYPE]", TYPE_ARGUMENT)
    .addOption(
      option("--svg <file>", "write the picture of where the bytes lie as SVG", {
        value: { kind: "output", of: "file" },
        excludes: ["--count", "--message"],
      }),
    )
    .addOption(
      option("--simulated", "choose as if there were a GPU, and count the memory accesses of its kernels", {
        excludes: ["--message"],
      }),
    )
    .addOption(
      option("--count <n>", "print what every backend takes for so many elements, instead", {
        value: { kind: "whole" },
      }),
    )
    .addOption(
      option("--from <kind>", "with --count: memory of the elements (default: host)", {
        value: MEMORY,
        needs: ["--count"],
        excludes: ["--message"],
      }),
    )
    .addOption(
      option("--to <kind>", "with --count: memory of the packed stream (default: host)", {
        value: MEMORY,
        needs: ["--count"],
        excludes: ["--message"],
      }),
    )
    .addOption(
      option("--measure", "with --count: measure it too, on host memory", {
        needs: ["--count"],
        excludes: ["--message"],
      }),
    )
    .addOption(
      option(
        "--message",
        "what a message of these elements (--count) costs over this machine's MPI: natively, and packed by Stowage",
      ),
    )
    .addOption(option("--list", "print the workloads that can be named", { only: ["--json"] }))
    .addOption(jsonOption());
  return withExamples(explain, [
    ["stowage explain MILC_su3_zdown/0", "a datatype of a real program"],
    ["stowage explain @mine.json --svg mine.svg", "your own, with a picture"],
    ["stowage explain vector-8 --count 1000", "what every backend takes for 1000 of them"],
  ]).action(async (type: string | undefined, options: object) => {
    const { explain: run } = await import("../explain/explain.js");
    await run(type, options);
  });
}
