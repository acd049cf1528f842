import { outputFile } from "@stowage/bench";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { layoutSvg } from "../picture/layout-svg.js";
import { print, printJson } from "../print.js";
import { readType } from "../type-argument.js";
import { TYPE_ARGUMENT } from "../type-argument-text.js";
import { printWorkloads } from "../workload-list.js";
import { deviceAccesses } from "./device-accesses.js";
import { explainDatatype } from "./explain-datatype.js";
import { explanationText } from "./explanation-text.js";

/** Where standard output is no terminal. */
const WIDTH = 100;

interface Options {
  readonly svg?: string;
  readonly simulated?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** `stowage explain`. */
export function explain(argument: string | undefined, options: Options): void {
  if (options.list === true) return printWorkloads(options.json === true);
  if (argument === undefined) throw new Error(`TYPE: expected ${TYPE_ARGUMENT}, got nothing`);
  const svg = options.svg === undefined ? undefined : outputFile(options.svg, "--svg");
  const named = readType(argument);
  using engine = createEngine(options.simulated === true ? { cuda: () => openSimulatedCuda() } : {});
  const explanation = {
    ...explainDatatype(named, engine),
    ...(options.simulated === true ? { deviceAccesses: deviceAccesses(named.datatype) } : {}),
  };
  svg?.write(layoutSvg(named.name, explanation.layout, named.count));
  if (options.json === true) {
    const { layout, ...data } = explanation;
    printJson(data);
  } else print(explanationText(explanation, process.stdout.isTTY ? process.stdout.columns : WIDTH));
}
