import type { CompletedCommand, Follows } from "./words.js";

/** A function for `complete -F`, which zsh's bashcompinit runs as well. */
export function bashCompletion(commands: readonly CompletedCommand[], types: readonly string[]): string {
  const below = commands.filter(({ path }) => path !== "");
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, follows }) =>
      follows === undefined
        ? []
        : [`    ${flags.map((flag) => `"${path}:${flag}"`).join("|")}) ${reply(follows)}; return ;;`],
    ),
  );
  const words = commands.map(({ path, options, commands: names, argument }) => {
    const flags = [...options.map(({ flags: [...own] }) => own.at(-1)), "--help"].join(" ");
    const rest = names.length > 0 ? reply({ kind: "words", words: names }) : reply(argument);
    return `    "${path}") flags="${flags}"; [[ $current == -* ]] || { ${rest}; return; } ;;`;
  });
  return `# stowage: written by \`stowage completion\`
_stowage_types="${types.join(" ")}"
_stowage() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" flags="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${below.map(({ path }) => `      "${path.includes(" ") ? path : ` ${path}`}") path="${path}" ;;`).join("\n")}
    esac
  done
  case "$path:$previous" in
${values.join("\n")}
  esac
  case "$path" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$flags" -- "$current"))
}
complete -o filenames -F _stowage stowage`;
}

function reply(follows: Follows): string {
  switch (follows.kind) {
    case "any":
      return "COMPREPLY=()";
    case "file":
      return `COMPREPLY=($(compgen -f -- "$current"))`;
    case "folder":
      return `COMPREPLY=($(compgen -d -- "$current"))`;
    case "type":
      return `COMPREPLY=($(compgen -W "$_stowage_types" -- "$current"))`;
    case "words":
      return `COMPREPLY=($(compgen -W "${follows.words.join(" ")}" -- "$current"))`;
  }
}
