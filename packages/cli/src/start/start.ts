import type { Asked, ResultRow } from "@stowage/bench";
import { benchPeers } from "@stowage/bench/peers";
import { readOptions } from "../bench/options.js";
import { runBench } from "../bench/run.js";
import { subjectsOf } from "../bench/subjects.js";
import { field } from "../peers/peer-specs.js";
import { PEER_SCRIPT } from "../peers/script.js";
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
  const contenders = field(["auto"]).specs.filter(({ kind }) => kind !== "plain-c");
  const measure = (asked: Asked) =>
    benchPeers({ ...asked, contenders, fragments: false, child: { script: PEER_SCRIPT } });
  const text = (rows: readonly ResultRow[], differences: readonly string[]): string =>
    [...(all ? [benchTable(rows), ""] : []), ...startText(rows, differences)].join("\n");
  const options = readOptions({ mode: "call", budget: BUDGET_MS, json });
  await runBench(subjects, options, { gpu: null, driver: null }, measure, text, "start");
}
