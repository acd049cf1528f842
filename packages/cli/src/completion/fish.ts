import type { CompletedCommand, CompletedOption, Follows } from "./words.js";

/** Lines of fish's `complete`. */
export function fishCompletion(commands: readonly CompletedCommand[], types: readonly string[]): string {
  const lines = commands.flatMap((command) => linesOf(command, commands));
  return [
    "# stowage: written by `stowage completion`",
    `set -g __stowage_types ${types.join(" ")}`,
    "complete -c stowage -f",
    ...lines,
  ].join("\n");
}

function linesOf({ path, options, commands, argument }: CompletedCommand, all: readonly CompletedCommand[]): string[] {
  const here = path === "" ? "" : ` -n ${quoted(conditionOf(path))}`;
  const children = commands.map((name) => {
    const child = `${path} ${name}`.trim();
    const description = all.find((each) => each.path === child)?.description ?? "";
    const first =
      path === ""
        ? "__fish_use_subcommand"
        : `${conditionOf(path)}; and not __fish_seen_subcommand_from ${commands.join(" ")}`;
    return `complete -c stowage -n ${quoted(first)} -a ${name} -d ${quoted(description)}`;
  });
  const own = options.map((option) => `complete -c stowage${here} ${optionText(option)}`);
  const rest =
    commands.length > 0 || argument.kind === "any" ? [] : [`complete -c stowage${here} ${valueText(argument)}`];
  return [...children, ...own, ...rest];
}

const conditionOf = (path: string): string =>
  path
    .split(" ")
    .map((name) => `__fish_seen_subcommand_from ${name}`)
    .join("; and ");

function optionText({ flags, description, follows }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...(follows === undefined ? [] : ["-r", valueText(follows)]), `-d ${quoted(description)}`]
    .filter((text) => text !== "")
    .join(" ");
}

function valueText(follows: Follows): string {
  switch (follows.kind) {
    case "any":
      return "";
    case "file":
      return "-F";
    case "folder":
      return "-a '(__fish_complete_directories)'";
    case "type":
      return "-a '$__stowage_types'";
    case "words":
      return `-a ${quoted(follows.words.join(" "))}`;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
