import { formatNs, grouped, modeOf, type Mode, type ResultRow } from "@stowage/bench";
import { align } from "./align.js";

/** What calls cost: a line a backend and datatype, as applications call it, last what a commit costs. */
export function callsText(rows: readonly ResultRow[]): string {
  const lines = [...grouped(rows, ({ contender, workload }) => `${contender}, ${workload}`).entries()].map(
    ([name, group]) => [
      name,
      ...(["bound", "rebind", "call"] as const).map((mode) => timeOf(group, mode)),
      commitOf(group),
    ],
  );
  return align([["", "plan.run", "rebind + run", "Committed.pack", "commit (first in process)"], ...lines]);
}

function timeOf(group: readonly ResultRow[], mode: Mode): string {
  const row = group.find((each) => modeOf(each) === mode);
  return row === undefined ? "-" : formatNs(row.medianNs);
}

function commitOf([row]: readonly ResultRow[]): string {
  if (row === undefined || row.commitNs === 0) return "-";
  const first = row.firstCommitNs === undefined ? "" : ` (${formatNs(row.firstCommitNs)})`;
  return `${formatNs(row.commitNs)}${first}`;
}
