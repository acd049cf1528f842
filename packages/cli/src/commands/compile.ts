import { Command, Option } from "commander";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function compileCommand(): Command {
  return new Command("compile")
    .description("write kernels that programs without Node link: objects, libraries, headers, Fortran modules")
    .argument("<TYPES...>", TYPE_ARGUMENT)
    .requiredOption(
      "-o, --out <name>",
      "where files go, without an ending: NAME.o or for several types NAME.a, and NAME.h",
    )
    .addOption(
      new Option("--target <target>", "the processors that code is for; multi chooses when it is first called")
        .choices(["x86-64", "x86-64-v3", "x86-64-v4", "multi", "ptx"])
        .default("multi"),
    )
    .addOption(
      new Option("--language <language>", "what declares the functions")
        .choices(["c", "fortran", "python", "c++", "cuda"])
        .default("c"),
    )
    .option(
      "--symbol <name>",
      "what the functions' names begin with; once for each type (default: NAME, or of several types each one's name)",
      collected,
    )
    .option("--copy-to <type>", "also copy from each type straight to this one")
    .action(async (types: readonly string[], options: object) => {
      const { compile } = await import("../compile/compile.js");
      compile(types, options as Parameters<typeof compile>[1]);
    });
}
