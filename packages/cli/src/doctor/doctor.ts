import { createEngine } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { FindingError } from "../exit-code.js";
import { backendFacts } from "./backend-facts.js";
import { gpuFacts } from "./gpu-facts.js";
import { profileFacts } from "./profile-facts.js";
import { machineFacts, type Fact } from "./machine-facts.js";
import { nativeFacts } from "./native-facts.js";

/** `stowage doctor`. Throws a FindingError, after all is printed, where something is not as it should be. */
export function doctor({ json }: { readonly json?: boolean }): void {
  using engine = createEngine();
  const facts = [...machineFacts(), ...nativeFacts(), ...gpuFacts(), ...backendFacts(engine), ...profileFacts()];
  if (json === true) printJson(Object.fromEntries(facts.map(({ name, finding }) => [name, finding])));
  else print(factsText(facts));
  const wrong = facts.filter(({ isWrong }) => isWrong);
  if (wrong.length > 0)
    throw new FindingError(`${wrong.map(({ name }) => name).join(", ")}: expected to pass, got a failure`);
}

const NAME_WIDTH = 22;

/** A line a fact; a reason that was given above is not given again. */
export function factsText(facts: readonly Fact[]): string {
  const told = new Map<string, string>();
  const lines = facts.map(({ name, finding }) => {
    const [verdict = "", ...rest] = finding.split(": ");
    const reason = rest.join(": ");
    const above = reason === "" ? undefined : told.get(reason);
    if (above === undefined) told.set(reason, name);
    return `${name.padEnd(NAME_WIDTH)} ${above === undefined ? finding : `${verdict}: as ${above}`}`;
  });
  return lines.join("\n");
}
