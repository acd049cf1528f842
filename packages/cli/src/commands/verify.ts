import type { BoundsRule } from "@stowage/ir";
import { Command } from "commander";
import { BOUNDS_RULES } from "../golden/rule-of-file.js";
import { jsonOption, option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

interface VerifyOptions {
  readonly backend: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly bounds?: BoundsRule;
  readonly json?: boolean;
}

export function verifyCommand(): Command {
  const verify = new Command("verify")
    .description("check golden files, made by a real MPI: sizes, bounds, packed bytes, ranges, unpack with canaries")
    .argument("[FILES...]", "golden files, one JSON object a line (default: the 500 datatypes that come with stowage)")
    .addOption(
      option("--backend <name>", "the backend to check, or all", { value: { kind: "text" }, byDefault: "all" }),
    )
    .addOption(
      option("--device <kind>", "data in a GPU's memory, by every CUDA backend and every route", {
        value: { kind: "choice", of: ["cuda"] },
      }),
    )
    .addOption(option("--simulated", "check on a simulated GPU", { needs: ["--device"] }))
    .addOption(
      option(
        "--bounds <rule>",
        "by whose rule the recorded bounds are: unless given, that of the MPI that the file's name begins with, as openmpi-4.1.4.jsonl, and the standard's for other names",
        { value: { kind: "choice", of: BOUNDS_RULES } },
      ),
    )
    .addOption(jsonOption("print the result as JSON"));
  return withExamples(verify, [
    ["stowage verify", "500 datatypes that a real MPI packed, by every backend of the host"],
    ["stowage verify --backend x64 --bounds mpich mine.jsonl", "cases of your own, by one"],
  ]).action(async (files: readonly string[], options: VerifyOptions) => {
    const { verify: run } = await import("../golden/verify.js");
    await run(files, options);
  });
}
