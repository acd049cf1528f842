import { Command } from "commander";

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check golden files, made by a real MPI: sizes, bounds, packed bytes, ranges, unpack with canaries")
    .argument("[FILES...]", "golden files, one JSON object a line (default: the 500 datatypes that come with stowage)")
    .option("--backend <name>", "the backend to check, or all", "all")
    .option("--json", "print the result as JSON")
    .action(async (files: readonly string[], options: { readonly backend: string; readonly json?: boolean }) => {
      const { verify } = await import("../golden/verify.js");
      verify(files, options);
    });
}
