import { WORKLOAD_GROUPS, workloadNames } from "@stowage/workloads";
import type { Command } from "commander";
import { print } from "../print.js";
import { bashCompletion } from "./bash.js";
import { fishCompletion } from "./fish.js";
import { completedCommands } from "./words.js";

/** `stowage completion`. */
export function printCompletion(program: Command, shell: "bash" | "zsh" | "fish"): void {
  const commands = completedCommands(program);
  const types = [...WORKLOAD_GROUPS, ...workloadNames()];
  if (shell === "fish") return print(fishCompletion(commands, types));
  // zsh runs what bash does, once it is told to.
  const prelude = shell === "zsh" ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : "";
  print(`${prelude}${bashCompletion(commands, types)}`);
}
