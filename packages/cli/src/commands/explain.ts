import { openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { Command } from "commander";
import { writeFileSync } from "node:fs";
import { deviceAccesses } from "../explain/device-accesses.js";
import { explainDatatype } from "../explain/explain-datatype.js";
import { explanationText } from "../explain/explanation-text.js";
import { layoutSvg } from "../picture/layout-svg.js";
import { printJson } from "../print.js";
import { readType, TYPE_ARGUMENT } from "../type-argument.js";

interface Options {
  readonly svg?: string;
  readonly simulated?: boolean;
  readonly json?: boolean;
}

export function explainCommand(): Command {
  return new Command("explain")
    .description("show a datatype: bounds, signature, layout before and after each pass, program, backends, picture")
    .argument("<TYPE>", TYPE_ARGUMENT)
    .option("--svg <file>", "write the picture of where the bytes lie as SVG")
    .option("--simulated", "choose as if there were a GPU, and count the memory accesses of its kernels")
    .option("--json", "print as JSON")
    .action(explain);
}

function explain(argument: string, options: Options): void {
  const named = readType(argument);
  using engine = createEngine(options.simulated === true ? { cuda: () => openSimulatedCuda() } : {});
  const explanation = {
    ...explainDatatype(named, engine),
    ...(options.simulated === true ? { deviceAccesses: deviceAccesses(named.datatype) } : {}),
  };
  if (options.svg !== undefined) writeFileSync(options.svg, layoutSvg(named.name, explanation.layout, named.count));
  if (options.json === true) {
    const { layout, ...data } = explanation;
    printJson(data);
  } else console.log(explanationText(explanation));
}
