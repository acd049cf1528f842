import { heading, interruption } from "@stowage/bench";
import { benchPeers } from "@stowage/bench/peers";
import { subjectsOf } from "../bench/subjects.js";
import { commandLine } from "../command-line.js";
import { field } from "../peers/peer-specs.js";
import { PEER_SCRIPT } from "../peers/script.js";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { FindingError } from "../run-program.js";
import { benchTable } from "../tables/bench-table.js";
import { startText } from "./start-text.js";

/** Milliseconds to spend on each contender of a cell: all 89 datatypes beside two MPIs take half a minute. */
const BUDGET_MS = 5;

/**
 * `stowage start`: every datatype of DDTBench by the engine's choice, by each MPI that is here and by memcpy, in turns.
 * Throws a FindingError, after all else is printed, where a contender moved other bytes.
 */
export async function start(
  { all = false, json = false }: { readonly all?: boolean; readonly json?: boolean },
  subjects = subjectsOf([], "ddtbench"),
): Promise<void> {
  using interrupted = interruption("start");
  using bar = progressBar("start");
  const { rows, differences } = await benchPeers({
    subjects,
    contenders: field(["auto"]).specs.filter(({ kind }) => kind !== "plain-c"),
    child: { script: PEER_SCRIPT },
    modes: ["call"],
    fragments: false,
    budgetMs: BUDGET_MS,
    interrupted,
    remark: (line) => bar.line(`stowage: ${line}`),
    progress: (done, total) => bar.show(done, total),
  });
  bar.end();
  if (json) printJson({ ...heading(commandLine(), { gpu: null, driver: null }), rows });
  else print([...(all ? [benchTable(rows), ""] : []), ...startText(rows, differences)].join("\n"));
  interrupted.throwIfSeen(`${rows.length} rows measured so far`);
  if (differences.length === 0) return;
  throw new FindingError(`cells in which a contender moved other bytes: expected none, got ${differences.length}`);
}
