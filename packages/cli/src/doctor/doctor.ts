import { createEngine } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { backendFacts } from "./backend-facts.js";
import { gpuFacts } from "./gpu-facts.js";
import { machineFacts } from "./machine-facts.js";

/** `stowage doctor`. */
export function doctor({ json }: { readonly json?: boolean }): void {
  using engine = createEngine();
  const facts = [...machineFacts(), ...gpuFacts(), ...backendFacts(engine)];
  if (json === true) printJson(Object.fromEntries(facts.map(({ name, finding }) => [name, finding])));
  else print(facts.map(({ name, finding }) => `${name.padEnd(22)} ${finding}`).join("\n"));
}
