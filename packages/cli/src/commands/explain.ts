import { Command, Option } from "commander";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

/** Named here too: the command is described before anything else is loaded. */
const KINDS = ["host", "pinned", "device", "managed"];

export function explainCommand(): Command {
  return new Command("explain")
    .description("show a datatype: bounds, signature, layout before and after each pass, program, backends, picture")
    .argument("[TYPE]", TYPE_ARGUMENT)
    .option("--svg <file>", "write the picture of where the bytes lie as SVG")
    .option("--simulated", "choose as if there were a GPU, and count the memory accesses of its kernels")
    .option("--count <n>", "print what every backend takes for so many elements, instead")
    .addOption(new Option("--from <kind>", "with --count: memory of the elements").choices(KINDS).default("host"))
    .addOption(new Option("--to <kind>", "with --count: memory of the packed stream").choices(KINDS).default("host"))
    .option("--measure", "with --count: measure it too, on host memory")
    .option(
      "--message",
      "what a message of these elements (--count) costs over this machine's MPI, natively and by ours",
    )
    .option("--list", "print the workloads that can be named")
    .option("--json", "print as JSON")
    .action(async (type: string | undefined, options: object) => {
      const { explain } = await import("../explain/explain.js");
      await explain(type, options);
    });
}
