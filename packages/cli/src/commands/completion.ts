import { Argument, Command } from "commander";
import { withExamples } from "../options/examples.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function completionCommand(): Command {
  const completion = new Command("completion")
    .description("print what makes a shell complete commands, options, their values and the names of datatypes")
    .addArgument(new Argument("<SHELL>", "the shell that completes").choices(SHELLS));
  return withExamples(completion, [
    ["stowage completion bash > ~/.local/share/bash-completion/completions/stowage", "for bash"],
    ["stowage completion zsh >> ~/.zshrc", "for zsh"],
    ["stowage completion fish > ~/.config/fish/completions/stowage.fish", "for fish"],
  ]).action(async (shell: (typeof SHELLS)[number]) => {
    const { printCompletion } = await import("../completion/print-completion.js");
    printCompletion(completion.parent as Command, shell);
  });
}
