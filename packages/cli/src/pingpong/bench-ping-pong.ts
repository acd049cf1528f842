import { heading, outputFile, type Subject } from "@stowage/bench";
import { openMpi } from "@stowage/mpi-bridge";
import type { BenchOptions } from "../bench/options.js";
import { commandLine, launcherWords } from "../command-line.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { FindingError } from "../exit-code.js";
import { benchExchange } from "./bench-exchange.js";
import { compileLoops } from "./c-loops.js";
import { CHUNK_BYTES } from "./our-contenders.js";
import { exchangesOf } from "./exchanges-of.js";
import { pingPongText } from "./ping-pong-text.js";
import { PING_PONG_SCHEMA, type PingPongResults, type PingPongRow } from "./row.js";

const COMMAND = "mpirun -n 2 npx stowage bench --pingpong";

/** `stowage bench --pingpong`, on each of two ranks; rank 0 tells. */
export function benchPingPong(subjects: readonly Subject[], options: BenchOptions): void {
  const mpi = openMpi();
  const { rank, size } = mpi.world;
  if (size !== 2) throw new Error(`--pingpong: expected 2 ranks (${COMMAND}), got ${size}`);
  const isFirst = rank === 0;
  const out = options.out === undefined || !isFirst ? undefined : outputFile(options.out, "--out");
  using comm = mpi.world.dup();
  using chunked = mpi.world.dup({ pipeline: { chunkBytes: CHUNK_BYTES } });
  const loops = compileLoops(mpi, comm);
  const { sizes, budgetMs, json } = options;
  const rows: PingPongRow[] = [];
  const differences: string[] = [];
  const refused = new Set<string>();
  using bar = progressBar("bench");
  const say = (line: string): void => (isFirst ? bar.line(`stowage: ${line}`) : undefined);
  const total = subjects.length * sizes.length;
  const head = { ...heading(commandLine(launcherWords(mpi.mpi.family, 2))), schema: PING_PONG_SCHEMA } as const;
  const text = (): string => `${JSON.stringify({ ...head, rows } satisfies PingPongResults, null, 1)}\n`;
  for (const exchange of exchangesOf(subjects, sizes, rank)) {
    const benched = benchExchange(mpi, { comm, chunked }, loops, exchange, budgetMs);
    rows.push(...benched.rows);
    differences.push(...benched.differences);
    benched.differences.forEach(say);
    for (const { who, why } of benched.refusals) {
      if (!refused.has(who)) say(`${who}: ${why}`); // once for each: llvm where there is no libLLVM
      refused.add(who);
    }
    if (out?.replaceable === true) out.write(text());
    if (isFirst) bar.show(Math.min(total, new Set(rows.map(({ workload }) => workload)).size), total);
  }
  bar.end();
  if (isFirst) print(json === true ? text().trimEnd() : pingPongText(rows));
  if (out?.replaceable === false) out.write(text());
  if (differences.length > 0)
    throw new FindingError(`exchanges that left other bytes: expected none, got ${differences.length}`);
}
