import { grouped, modeOf, type ResultRow } from "@stowage/bench";
import { machineName, type Run } from "./run.js";

const SIZE_WIDTH = 12;
const LEAST_WIDTH = 16;

/**
 * Tables as the OSU micro-benchmarks print them: a line a size, microseconds of each contender, `#` before the rest.
 */
export function reportOsu(runs: readonly Run[]): string {
  return runs
    .flatMap((run) => {
      const tables = grouped(run.rows, (row) =>
        [row.workload, row.direction, row.route, modeOf(row), ...(row.count === 1 ? [] : [`count ${row.count}`])].join(
          ", ",
        ),
      );
      return [...tables.entries()].map(([title, rows]) => osuTable(`${title}; ${machineName(run.machine)}`, rows));
    })
    .join("\n\n");
}

function osuTable(title: string, rows: readonly ResultRow[]): string {
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  const widthOf = (contender: string): number => Math.max(LEAST_WIDTH, contender.length + " (us)".length + 2);
  const head = contenders.map((contender) => `${contender} (us)`.padStart(widthOf(contender)));
  const lines = [...grouped(rows, ({ packedBytes }) => packedBytes).entries()]
    .sort(([a], [b]) => a - b)
    .map(([size, cells]) => {
      const times = contenders.map((name) => {
        const row = cells.find(({ contender }) => contender === name);
        return (row === undefined ? "-" : (row.medianNs / 1e3).toFixed(2)).padStart(widthOf(name));
      });
      return `${String(size).padEnd(SIZE_WIDTH)}${times.join("")}`;
    });
  return [`# ${title}`, `${"# Size".padEnd(SIZE_WIDTH)}${head.join("")}`, ...lines].join("\n");
}
