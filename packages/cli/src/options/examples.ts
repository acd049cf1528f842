import type { Command } from "commander";

/** Adds command lines, and what each is for, to the end of a command's help. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, purpose: string])[],
): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, purpose]) => `  ${line.padEnd(width)}  ${purpose}`);
  return command.addHelpText("after", ["", "Examples:", ...lines].join("\n"));
}
