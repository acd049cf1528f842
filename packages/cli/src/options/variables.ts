import { readValue } from "./read-value.js";
import type { ValueKind } from "./value-kind.js";

/** A variable of the environment whose value commands would otherwise take for something else. */
interface Variable {
  readonly name: string;
  readonly value: ValueKind;
  /** The commands that read it; those below them too. */
  readonly commands: readonly string[];
}

export const VARIABLES: readonly Variable[] = [
  { name: "STOWAGE_CACHE_BYTES", value: { kind: "whole", least: 0 }, commands: ["run", "cache"] },
];

/** Checks the variables that a command reads, as its options are. Throws one line. */
export async function checkVariables(command: string, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  for (const { name, value, commands } of VARIABLES) {
    const text = environment[name];
    if (text !== undefined && text !== "" && commands.includes(command)) await readValue(name, value, text);
  }
}
