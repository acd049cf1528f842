import { outputFile } from "@stowage/bench";
import type { Datatype } from "@stowage/ir";
import type { MemoryKind } from "@stowage/backend-api";
import { createEngine, type Engine, type EngineOptions } from "@stowage/selector";
import { layoutSvg } from "../picture/layout-svg.js";
import { print, printJson } from "../print.js";
import { readType, type NamedType } from "../type-argument.js";
import { TYPE_ARGUMENT } from "../type-argument-text.js";
import { printWorkloads } from "../workload-list.js";
import type { DeviceAccesses } from "./device-accesses.js";
import { explainDatatype } from "./explain-datatype.js";
import { explanationText } from "./explanation-text.js";

/** Where standard output is no terminal, or one that does not know its width. */
const WIDTH = 100;

interface Options {
  readonly svg?: string;
  readonly simulated?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly count?: number;
  readonly from?: MemoryKind;
  readonly to?: MemoryKind;
  readonly measure?: boolean;
  readonly message?: boolean;
}

/** `stowage explain`. */
export async function explain(argument: string | undefined, options: Options): Promise<void> {
  if (options.list === true) return printWorkloads(options.json === true);
  if (argument === undefined) throw new Error(`TYPE: expected ${TYPE_ARGUMENT}, got nothing`);
  const svg = options.svg === undefined ? undefined : outputFile(options.svg, "--svg");
  const named = readType(argument);
  if (options.message === true) return await explainTheMessage(named, options);
  const device = options.simulated === true ? await simulatedDevice() : undefined;
  using engine = createEngine(device?.engine ?? {});
  if (options.count !== undefined) return await explainCandidates(engine, named, options);
  const explanation = {
    ...explainDatatype(named, engine),
    ...(device === undefined ? {} : { deviceAccesses: device.accesses(named.datatype) }),
  };
  svg?.write(layoutSvg(named.name, explanation.layout, named.count));
  if (options.json === true) {
    const { layout, ...data } = explanation;
    printJson(data);
  } else print(explanationText(explanation, (process.stdout.isTTY && process.stdout.columns) || WIDTH));
}

async function explainCandidates(engine: Engine, named: NamedType, options: Options): Promise<void> {
  const { count = 1, from = "host", to = "host", measure = false } = options;
  const { candidateLines, candidatesText } = await import("./candidates-text.js");
  const lines = candidateLines(engine, named, { count, from, to, measure });
  if (options.json === true) printJson(lines);
  else print(candidatesText(lines));
}

async function explainTheMessage(named: NamedType, { count = named.count, json }: Options): Promise<void> {
  const { explainMessage, messageText } = await import("./message-text.js");
  const explanation = explainMessage(named, count);
  if (json === true) printJson(explanation);
  else print(messageText(explanation));
}

/** Loaded for those who ask for it: most want to see a datatype. */
async function simulatedDevice(): Promise<{
  readonly engine: EngineOptions;
  readonly accesses: (datatype: Datatype) => DeviceAccesses;
}> {
  const { deviceAccesses, simulatedGpu } = await import("./device-accesses.js");
  return { engine: { cuda: simulatedGpu }, accesses: deviceAccesses };
}
