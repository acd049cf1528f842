import {
  heading,
  interruption,
  resultsFile,
  type Asked,
  type Benched,
  type Machine,
  type ResultRow,
  type Subject,
} from "@stowage/bench";
import { commandLine } from "../command-line.js";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { FindingError } from "../exit-code.js";
import type { BenchOptions } from "./options.js";

/**
 * A bench as a command runs it: remarks and progress on standard error, rows kept in --out, a table at the end.
 * Throws a FindingError, after all else is printed, where a contender moved other bytes.
 */
export async function runBench(
  subjects: readonly Subject[],
  options: BenchOptions,
  gpu: Pick<Machine, "gpu" | "driver">,
  measure: (asked: Asked) => Promise<Benched>,
  table: (rows: readonly ResultRow[], differences: readonly string[]) => string,
  command = "bench",
): Promise<void> {
  const { sizes, count, modes, budgetMs, json } = options;
  const out = options.out === undefined ? undefined : resultsFile(options.out, "--out");
  const head = heading(commandLine(), gpu);
  using interrupted = interruption(command);
  using bar = progressBar(command);
  const { rows, differences } = await measure({
    subjects,
    sizes,
    count,
    modes,
    budgetMs,
    interrupted,
    keep: (kept) => out?.keep(head, kept),
    remark: (line) => bar.line(`stowage: ${line}`),
    progress: (done, total) => bar.show(done, total),
  });
  bar.end();
  if (json === true) printJson({ ...head, rows });
  else print(table(rows, differences));
  out?.finish(head, rows);
  interrupted.throwIfSeen(
    `${rows.length} rows measured so far${options.out === undefined ? "" : ` kept in ${options.out}`}`,
  );
  if (rows.length === 0 && differences.length === 0) throw new FindingError("rows: expected some, got none");
  if (differences.length === 0) return;
  throw new FindingError(`cells in which a contender moved other bytes: expected none, got ${differences.length}`);
}
