import { Command, Option } from "commander";

interface VerifyOptions {
  readonly backend: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly json?: boolean;
}

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check golden files, made by a real MPI: sizes, bounds, packed bytes, ranges, unpack with canaries")
    .argument("[FILES...]", "golden files, one JSON object a line (default: the 500 datatypes that come with stowage)")
    .option("--backend <name>", "the backend to check, or all", "all")
    .addOption(
      new Option("--device <kind>", "data in a GPU's memory, by every CUDA backend and every route").choices(["cuda"]),
    )
    .option("--simulated", "with --device: a simulated one")
    .option("--json", "print the result as JSON")
    .action(async (files: readonly string[], options: VerifyOptions) => {
      const { verify } = await import("../golden/verify.js");
      await verify(files, options);
    });
}
