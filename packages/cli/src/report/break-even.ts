import { cellKey, grouped, type ResultRow } from "@stowage/bench";

export interface BreakEven {
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: ResultRow["direction"];
  /** Whose calls are quicker and whose commit is dearer. */
  readonly contender: string;
  readonly over: string;
  /** Calls after which the dearer commit has paid. */
  readonly calls: number;
}

/**
 * For each pair that commits in each cell of one run: calls = (commit − commit') / (call' − call). Who both commits and
 * calls quicker has nothing to repay.
 */
export function breakEven(rows: readonly ResultRow[]): readonly BreakEven[] {
  return [...grouped(rows, cellKey).values()].flatMap((cell) => {
    const committing = cell.filter(({ commitNs }) => commitNs > 0);
    return committing.flatMap((fast) => committing.flatMap((slow) => pair(fast, slow) ?? []));
  });
}

function pair(fast: ResultRow, slow: ResultRow): BreakEven | undefined {
  if (fast.medianNs >= slow.medianNs || fast.commitNs <= slow.commitNs) return undefined;
  const { workload, packedBytes, direction, contender } = fast;
  const calls = Math.max(1, (fast.commitNs - slow.commitNs) / (slow.medianNs - fast.medianNs));
  return { workload, packedBytes, direction, contender, over: slow.contender, calls };
}
