import { createEngine } from "@stowage/selector";
import { Command } from "commander";
import { backendFacts } from "../doctor/backend-facts.js";
import { gpuFacts } from "../doctor/gpu-facts.js";
import { machineFacts } from "../doctor/machine-facts.js";
import { printJson } from "../print.js";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("say what this machine offers: processor, GPUs, MPIs, and which backends can run here")
    .option("--json", "print as JSON")
    .action((options: { readonly json?: boolean }) => {
      using engine = createEngine();
      const facts = [...machineFacts(), ...gpuFacts(), ...backendFacts(engine)];
      if (options.json === true) printJson(Object.fromEntries(facts.map(({ name, finding }) => [name, finding])));
      else console.log(facts.map(({ name, finding }) => `${name.padEnd(22)} ${finding}`).join("\n"));
    });
}
