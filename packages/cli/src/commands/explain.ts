import { Command } from "commander";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

export function explainCommand(): Command {
  return new Command("explain")
    .description("show a datatype: bounds, signature, layout before and after each pass, program, backends, picture")
    .argument("[TYPE]", TYPE_ARGUMENT)
    .option("--svg <file>", "write the picture of where the bytes lie as SVG")
    .option("--simulated", "choose as if there were a GPU, and count the memory accesses of its kernels")
    .option("--list", "print the workloads that can be named")
    .option("--json", "print as JSON")
    .action(async (type: string | undefined, options: object) => {
      const { explain } = await import("../explain/explain.js");
      await explain(type, options);
    });
}
