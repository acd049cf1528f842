import type { Argument, Command, Option } from "commander";
import { CheckedOption } from "../options/checked-option.js";

/** What may follow: nothing that is known, a file, a folder, or one of some words. */
export type Follows =
  | { readonly kind: "any" | "file" | "folder" | "type" }
  | { readonly kind: "words"; readonly words: readonly string[] };

/** An option as shells complete it. */
export interface CompletedOption {
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where it takes no value. */
  readonly follows?: Follows;
}

/** A command as shells complete it: its name with those above it, "cache ls"; "" is the program itself. */
export interface CompletedCommand {
  readonly path: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly string[];
  readonly argument: Follows;
}

/** A command and those below it, as they are declared. */
export function completedCommands(command: Command, path = ""): readonly CompletedCommand[] {
  const own: CompletedCommand = {
    path,
    description: command.description(),
    options: command.options.map(completedOption),
    commands: command.commands.map((each) => each.name()),
    argument: followsArgument(command.registeredArguments[0]),
  };
  return [own, ...command.commands.flatMap((each) => completedCommands(each, `${path} ${each.name()}`.trim()))];
}

const completedOption = (option: Option): CompletedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  description: option.description,
  ...(option.required || option.optional ? { follows: followsOption(option) } : {}),
});

function followsOption(option: Option): Follows {
  const value = option instanceof CheckedOption ? option.rules.value : undefined;
  if (value === undefined) return { kind: "any" };
  switch (value.kind) {
    case "choice":
      return { kind: "words", words: value.of };
    case "output":
      return { kind: value.of };
    case "input":
      return { kind: "file" };
    case "whole":
    case "bytes":
    case "wire":
    case "text":
      return { kind: "any" };
  }
}

function followsArgument(argument: Argument | undefined): Follows {
  if (argument === undefined) return { kind: "any" };
  if (argument.argChoices !== undefined) return { kind: "words", words: argument.argChoices };
  if (/^TYPES?$/.test(argument.name())) return { kind: "type" };
  return { kind: argument.name() === "FOLDER" ? "folder" : "file" };
}
