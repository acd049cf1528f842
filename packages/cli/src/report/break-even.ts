import { cellKey, grouped, type ResultRow } from "@stowage/bench";

export interface BreakEven {
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: ResultRow["direction"];
  /** "x64 over cpu": the contender whose commit is dearer, over the one whose calls are. */
  readonly pair: string;
  /** Calls after which the dearer commit has paid. */
  readonly calls: number;
}

/** For each pair that commits in each cell: calls = (commit − commit') / (call' − call), where that is positive. */
export function breakEven(rows: readonly ResultRow[]): readonly BreakEven[] {
  const cells = grouped(rows, cellKey);
  return [...cells.values()].flatMap((cell) => {
    const committing = cell.filter(({ commitNs }) => commitNs > 0);
    return committing.flatMap((fast) => committing.flatMap((slow) => pair(fast, slow) ?? []));
  });
}

function pair(fast: ResultRow, slow: ResultRow): BreakEven | undefined {
  if (fast.medianNs >= slow.medianNs) return undefined;
  const { workload, packedBytes, direction } = fast;
  const calls = Math.max(1, (fast.commitNs - slow.commitNs) / (slow.medianNs - fast.medianNs));
  return { workload, packedBytes, direction, pair: `${fast.contender} over ${slow.contender}`, calls };
}
