import { Command } from "commander";
import { option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";
import { TYPE_ARGUMENT } from "../type-argument-text.js";

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function compileCommand(): Command {
  const compile = new Command("compile")
    .description("write kernels that programs without Node link: objects, libraries, headers, Fortran modules")
    .argument("<TYPES...>", TYPE_ARGUMENT)
    .addOption(
      option(
        "-o, --out <name>",
        "where files go, without an ending: NAME.o or for several types NAME.a, and NAME.h",
      ).makeOptionMandatory(),
    )
    .addOption(
      option("--target <target>", "the processors that code is for; multi chooses when it is first called", {
        value: { kind: "choice", of: ["x86-64", "x86-64-v3", "x86-64-v4", "multi", "ptx"] },
        byDefault: "multi",
      }),
    )
    .addOption(
      option("--language <language>", "what declares the functions", {
        value: { kind: "choice", of: ["c", "fortran", "python", "c++", "cuda", "artifact"] },
        byDefault: "c",
      }),
    )
    .addOption(
      option(
        "--symbol <name>",
        "what the functions' names begin with; once for each type (default: NAME, or of several types each one's name)",
        { value: { kind: "text" } },
      ).argParser(collected),
    )
    .addOption(
      option("--visibility <visibility>", "who may link to the functions; hidden: what is linked with them alone", {
        value: { kind: "choice", of: ["default", "hidden"] },
        byDefault: "default",
      }),
    )
    .addOption(option("--copy-to <type>", "also copy from each type straight to this one", { value: { kind: "text" } }))
    .addOption(option("--pages", "copies of pages of this type by tables, for ptx, and python or c++: paged caches"));
  return withExamples(compile, [
    ["stowage compile @column.json -o column", "column.o and column.h"],
    ["stowage compile MILC_su3_zdown/0 -o halo --language fortran", "halo.o and halo_module.f90"],
    [
      "stowage compile @column.json -o column --language artifact",
      "column.avx2.stowage and others, for stowage_load_file",
    ],
  ]).action(async (types: readonly string[], options: object) => {
    const { compile: run } = await import("../compile/compile.js");
    run(types, options as Parameters<typeof run>[1]);
  });
}
