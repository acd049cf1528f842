import { createEngine } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { FindingError } from "../run-program.js";
import { backendFacts } from "./backend-facts.js";
import { gpuFacts } from "./gpu-facts.js";
import { profileFacts } from "./profile-facts.js";
import { machineFacts } from "./machine-facts.js";

/** `stowage doctor`. Throws a FindingError, after all is printed, where something is not as it should be. */
export function doctor({ json }: { readonly json?: boolean }): void {
  using engine = createEngine();
  const facts = [...machineFacts(), ...gpuFacts(), ...backendFacts(engine), ...profileFacts()];
  if (json === true) printJson(Object.fromEntries(facts.map(({ name, finding }) => [name, finding])));
  else print(facts.map(({ name, finding }) => `${name.padEnd(22)} ${finding}`).join("\n"));
  const wrong = facts.filter(({ isWrong }) => isWrong);
  if (wrong.length > 0)
    throw new FindingError(`${wrong.map(({ name }) => name).join(", ")}: expected to pass, got a failure`);
}
