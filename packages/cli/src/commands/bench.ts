import { createEngine, type Engine } from "@stowage/selector";
import { Command, InvalidArgumentError } from "commander";
import { cellsOf, type Cell } from "../bench/cell.js";
import type { Contender } from "../bench/contender.js";
import { engineContender } from "../bench/engine-contender.js";
import { interruption } from "../bench/interruption.js";
import { measureCell } from "../bench/measure-cell.js";
import { memcpyContender } from "../bench/memcpy-contender.js";
import { namedWorkloads, workloadOfSize } from "../bench/named-workloads.js";
import { DEFAULT_SAMPLING } from "../bench/sample.js";
import { benchTable } from "../bench/table.js";
import { printJson } from "../print.js";
import { benchWithPeers } from "../peers/bench-with-peers.js";
import { progressBar } from "../progress.js";
import type { ResultRow } from "../results/schema.js";
import { heading, writeResults } from "../results/write.js";

interface Options {
  readonly backend: string;
  readonly size?: readonly number[];
  readonly count?: number;
  readonly budget: number;
  readonly peers?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function benchCommand(): Command {
  return new Command("bench")
    .description("pack and unpack workloads, check every byte, and print GB/s beside memcpy of the same size")
    .argument("[NAMES...]", "workloads or groups of them; without any, every DDTBench datatype")
    .option("--backend <names>", "backends, separated by commas; all; or auto for the engine's choice", "auto")
    .option("--size <bytes>", "scale workloads to about this many packed bytes (1MiB, or several: 1KiB,1MiB)", parseSizes)
    .option("--count <n>", "elements of each datatype", parseCount)
    .option("--budget <ms>", "time to spend on each contender of a cell", parseCount, DEFAULT_SAMPLING.budgetMs)
    .option("--peers", "compare with every MPI here, plain C and memcpy, each in a process of its own; ratios first")
    .option("--out <file>", "write a result file, kept whole after every cell")
    .option("--json", "print the result file instead of a table")
    .action(bench);
}

async function bench(names: readonly string[], options: Options): Promise<void> {
  const head = heading(commandLine(), { gpu: null, driver: null });
  const chosen = namedWorkloads(names.length === 0 ? ["ddtbench"] : names);
  if (options.peers === true) return benchWithPeers(chosen, options, head);
  using engine = createEngine();
  const contendersFor = contenderChoice(engine, options.backend);
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

const sizesOf = ({ size }: Options): readonly (number | undefined)[] => size ?? [undefined];

function cells(name: string, options: Options): readonly Cell[] {
  return sizesOf(options).flatMap((size) => {
    const named = workloadOfSize(name, size);
    return cellsOf(named.name, named.datatype, options.count ?? named.count);
  });
}

/** The backends that take part in a cell; `auto` is what the engine would choose for it. */
function contenderChoice(engine: Engine, asked: string): (cell: Cell) => readonly Contender[] {
  if (asked === "auto") {
    return (cell) => [engineContender(engine.commit(cell.datatype).choice(cell.direction).chosen)];
  }
  const names = engine.backends.map(({ name }) => name);
  const wanted = asked === "all" ? names : asked.split(",");
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--backend: expected some of ${names.join(", ")}, got ${unknown}`);
  const contenders = engine.backends.filter(({ name }) => wanted.includes(name)).map(engineContender);
  return () => contenders;
}

function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number above 0.");
  return value;
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, b: 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

const parseSizes = (text: string): readonly number[] => text.split(",").map(parseSize);

function parseSize(text: string): number {
  const [, digits, unit] = /^(\d+)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = FACTORS[(unit ?? "?").toLowerCase()];
  if (digits === undefined || factor === undefined) {
    throw new InvalidArgumentError("Expected bytes, such as 4096, 64KiB or 1MiB.");
  }
  return parseCount(String(Number(digits) * factor));
}

/** The command that repeats this run. */
const commandLine = (): string => ["npx stowage", ...process.argv.slice(2)].join(" ");
