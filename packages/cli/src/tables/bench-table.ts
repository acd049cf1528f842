import { bandwidth, formatBytes, formatNs, modeOf, significant, type ResultRow } from "@stowage/bench";
import { align } from "./align.js";
import { leadingRows } from "./leading-mode.js";
import { groupByWorkload, nameOf } from "./workload-rows.js";

const TITLE =
  "GB/s of packed bytes (in brackets: slowest and fastest sample); commit in time. Every byte was checked, before and after.";

/** One line a workload: pack and unpack of each contender in GB/s, the limit last, and what commit took. */
export function benchTable(all: readonly ResultRow[]): string {
  const rows = leadingRows(all);
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  const columns = [
    "workload",
    "packed",
    "mode",
    ...contenders.flatMap((name) => (name === "memcpy" ? [name] : [`${name} pack`, "unpack", "commit"])),
  ];
  const lines = groupByWorkload(rows).map((group) => tableLine(group, contenders));
  return `${TITLE}\n${align([columns, ...lines])}`;
}

function tableLine(group: readonly ResultRow[], contenders: readonly string[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const find = (contender: string, direction: string): ResultRow | undefined =>
    group.find((row) => row.contender === contender && row.direction === direction);
  return [
    nameOf(first),
    formatBytes(first.packedBytes),
    modeOf(first),
    ...contenders.flatMap((name) => {
      const pack = find(name, "pack");
      if (name === "memcpy") return [speed(pack)];
      return [speed(pack), speed(find(name, "unpack")), pack === undefined ? "-" : formatNs(pack.commitNs)];
    }),
  ];
}

/** The median's, then the slowest and the fastest sample's. */
function speed(row: ResultRow | undefined): string {
  if (row === undefined) return "-";
  const of = (ns: number): string => significant(row.packedBytes / ns);
  return `${significant(bandwidth(row))} (${of(row.maxNs)}-${of(row.minNs)})`;
}
