import type { Backend } from "@stowage/backend-api";
import { createEngine, type Engine } from "@stowage/selector";
import { Command, InvalidArgumentError, Option } from "commander";
import { cellsOf, type Cell } from "../bench/cell.js";
import type { Contender } from "../bench/contender.js";
import { engineContender } from "../bench/engine-contender.js";
import { interruption } from "../bench/interruption.js";
import { measureCell } from "../bench/measure-cell.js";
import { memcpyContender } from "../bench/memcpy-contender.js";
import { namedWorkloads, workloadOfSize } from "../bench/named-workloads.js";
import { PACKED_BYTES_EXPECTED, parsePackedBytes } from "../bench/packed-bytes.js";
import { PEERS_GPU } from "../bench/peers-gpu.js";
import { DEFAULT_SAMPLING } from "../bench/sample.js";
import { benchTable } from "../bench/table.js";
import { benchWithDevice } from "../device/bench-with-device.js";
import { DEVICE_ROUTES, type DeviceRoute } from "../device/routes.js";
import { printJson } from "../print.js";
import { hostBackends } from "../peers/bench-peers.js";
import { benchWithPeers } from "../peers/bench-with-peers.js";
import { progressBar } from "../progress.js";
import type { ResultRow } from "../results/schema.js";
import { heading, writeResults } from "../results/write.js";

interface Options {
  readonly backend?: string;
  readonly device?: "cuda";
  readonly route?: DeviceRoute | "all";
  readonly simulated?: boolean;
  readonly size?: readonly number[];
  readonly count?: number;
  readonly threads?: number;
  readonly budget: number;
  readonly peers?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function benchCommand(): Command {
  return new Command("bench")
    .description("pack and unpack workloads, check every byte, and print GB/s beside memcpy of the same size")
    .argument(
      "[NAMES...]",
      `workloads, at a size of their own as vector-8@64MiB, or groups; without any, ddtbench, or ${PEERS_GPU.group}`,
    )
    .option(
      "--backend <names>",
      "backends, separated by commas; all; or auto for the engine's choice (default: auto; on a device all)",
    )
    .option(
      "--size <bytes>",
      "scale workloads to about this many packed bytes (1MiB, or several: 1KiB,1MiB)",
      parseSizes,
    )
    .option("--count <n>", "elements of each datatype", parseCount)
    .option("--threads <n>", "x64 on this many threads too, beside x64 on one", parseCount)
    .option("--budget <ms>", "time to spend on each contender of a cell", parseCount, DEFAULT_SAMPLING.budgetMs)
    .option("--peers", "compare with every MPI here, plain C and memcpy, each in a process of its own; ratios first")
    .addOption(
      new Option("--device <kind>", "data in a GPU's memory, beside the driver's own copies").choices(["cuda"]),
    )
    .addOption(
      new Option("--route <route>", "on a device: where packed bytes lie (default: device)").choices([
        ...DEVICE_ROUTES,
        "all",
      ]),
    )
    .option("--simulated", "on a device: a simulated one, right but no measure of time")
    .option("--out <file>", "write a result file, kept whole after every cell")
    .option("--json", "print the result file instead of a table")
    .action(bench);
}

async function bench(names: readonly string[], options: Options): Promise<void> {
  requireAgreement(options);
  if (options.device !== undefined) {
    return benchWithDevice(namedWorkloads(names.length === 0 ? [PEERS_GPU.group] : names), options, commandLine());
  }
  const head = heading(commandLine(), { gpu: null, driver: null });
  const chosen = namedWorkloads(names.length === 0 ? ["ddtbench"] : names);
  const { backend = "auto" } = options;
  if (options.peers === true) return benchWithPeers(chosen, { ...options, backend }, head);
  using engine = createEngine();
  const contendersFor = contenderChoice(engine, backend, options.threads);
  const sampling = { ...DEFAULT_SAMPLING, budgetMs: options.budget };
  const bar = progressBar("bench", chosen.length);
  using interrupted = interruption();
  const rows: ResultRow[] = [];
  for (const name of chosen) {
    for (const cell of cells(name, options)) {
      const measured = measureCell(cell, [...contendersFor(cell), memcpyContender], sampling);
      rows.push(...measured.rows);
      for (const refusal of measured.refusals) process.stderr.write(`stowage: ${name}: ${refusal}\n`);
    }
    if (options.out !== undefined) writeResults(options.out, head, rows);
    bar?.increment();
    if (await interrupted.seen()) break;
  }
  bar?.stop();
  if (options.json === true) printJson({ ...head, rows });
  else console.log(benchTable(rows));
  interrupted.throwIfSeen(`${rows.length} rows measured so far were kept`);
}

function requireAgreement({ device, route, simulated, peers, threads }: Options): void {
  if (device !== undefined && peers === true) throw new Error("--peers: expected the host's memory, got --device");
  if (threads !== undefined && device !== undefined)
    throw new Error("--threads: expected the host's memory, got --device");
  if (threads !== undefined && peers === true)
    throw new Error("--threads: expected a bench of our backends, got --peers");
  if (device === undefined && route !== undefined)
    throw new Error(`--route: expected --device beside it, got ${route} alone`);
  if (device === undefined && simulated === true) throw new Error("--simulated: expected --device beside it, got none");
}

const sizesOf = ({ size }: Options): readonly (number | undefined)[] => size ?? [undefined];

function cells(name: string, options: Options): readonly Cell[] {
  return sizesOf(options).flatMap((size) => {
    const named = workloadOfSize(name, size);
    return cellsOf(named.name, named.datatype, options.count ?? named.count);
  });
}

/** The backends that take part in a cell, on one thread and where asked on more; `auto` is what the engine would choose for it. */
function contenderChoice(engine: Engine, asked: string, threads = 1): (cell: Cell) => readonly Contender[] {
  const contenders = (backend: Backend): readonly Contender[] => {
    // Of Stowage's backends one shares a call among threads.
    const counts = threads === 1 || backend.name !== "x64" ? [1] : [1, threads];
    return counts.map((count) => engineContender(backend, count));
  };
  if (asked === "auto") {
    return (cell) => contenders(engine.commit(cell.datatype).choice(cell.direction).chosen);
  }
  const names = engine.backends.map(({ name }) => name);
  const wanted = asked === "all" ? hostBackends(engine) : asked.split(",");
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--backend: expected some of ${names.join(", ")}, got ${unknown}`);
  const chosen = engine.backends.filter(({ name }) => wanted.includes(name)).flatMap(contenders);
  return () => chosen;
}

function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number above 0.");
  return value;
}

const parseSizes = (text: string): readonly number[] => text.split(",").map(parseSize);

function parseSize(text: string): number {
  const bytes = parsePackedBytes(text);
  if (bytes === undefined) throw new InvalidArgumentError(`Expected ${PACKED_BYTES_EXPECTED}.`);
  return bytes;
}

/** The command that repeats this run. */
const commandLine = (): string => ["npx stowage", ...process.argv.slice(2)].join(" ");
