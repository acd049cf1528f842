import { conditions, packMove } from "@stowage/backend-api";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import { Command } from "commander";
import { machineFacts, type Fact } from "../doctor/machine-facts.js";
import { printJson } from "../print.js";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("say what this machine offers: processor, GPU, MPIs, and which backends can run here")
    .option("--json", "print as JSON")
    .action((options: { readonly json?: boolean }) => {
      using engine = createEngine();
      const facts = [...machineFacts(), ...backendFacts(engine)];
      if (options.json === true) printJson(Object.fromEntries(facts.map(({ name, finding }) => [name, finding])));
      else console.log(facts.map(({ name, finding }) => `${name.padEnd(22)} ${finding}`).join("\n"));
    });
}

/** Whether each backend takes a plain strided datatype here, and if not why. */
function backendFacts(engine: Engine): readonly Fact[] {
  const layout = canonicalise(lower(vector(4, 1, 2, predefined("MPI_DOUBLE"))));
  return engine.backends.map((backend) => {
    const kind = backend.name.startsWith("cuda") || backend.name === "dma" ? "device" : "host";
    const support = backend.supports([packMove(layout)], conditions({ sourceKind: kind, targetKind: kind }));
    return { name: `backend ${backend.name}`, finding: support.ok ? `runs here (${kind} memory)` : support.reason };
  });
}
