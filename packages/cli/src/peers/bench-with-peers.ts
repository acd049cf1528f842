import { createEngine } from "@stowage/selector";
import { interruption } from "../bench/interruption.js";
import { printJson } from "../print.js";
import { writeResults, type Heading } from "../results/write.js";
import { FindingError } from "../run-program.js";
import { benchPeers, hostBackends } from "./bench-peers.js";
import { peersText } from "./peers-text.js";

/** Options of `stowage bench` that a comparison heeds. */
export interface PeersOptions {
  /** Names separated by commas, "all", or "auto" for the engine's choice. */
  readonly backend: string;
  readonly size?: readonly number[];
  readonly count?: number;
  readonly budget: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** `stowage bench --peers`. Throws a FindingError, after all else is printed, where a contender moved other bytes. */
export async function benchWithPeers(
  workloads: readonly string[],
  options: PeersOptions,
  head: Heading,
): Promise<void> {
  using interrupted = interruption();
  const { rows, differences } = await benchPeers({
    workloads,
    sizes: options.size ?? [undefined],
    count: options.count,
    backends: backendNames(options.backend),
    budgetMs: options.budget,
    interrupted,
    keep: (kept) => options.out !== undefined && writeResults(options.out, head, kept),
    remark: (line) => process.stderr.write(`stowage: ${line}\n`),
  });
  if (options.json === true) printJson({ ...head, rows });
  else console.log(peersText(rows));
  interrupted.throwIfSeen(`${rows.length} rows measured so far were kept`);
  if (differences.length === 0) return;
  throw new FindingError(`contenders that moved other bytes than they must: expected none, got ${differences.length}`);
}

function backendNames(asked: string): readonly string[] {
  using engine = createEngine();
  if (asked === "all") return hostBackends(engine);
  const known = ["auto", ...engine.backends.map(({ name }) => name)];
  const names = asked.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`--backend: expected all or some of ${known.join(", ")}, got ${unknown}`);
}
