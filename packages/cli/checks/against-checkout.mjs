// x64 of this checkout beside that of another one, both built, as `stowage bench --peers` measures: processes that take
// turns on the same pages of one processor, every byte checked. A second process of this checkout, "again", tells the
// noise of each cell:
// node packages/cli/checks/against-checkout.mjs CHECKOUT FILE [BUDGET_MS [SIZES [TYPES]]], SIZES and TYPES separated by
// commas.
import {
  heading,
  meanOf,
  namedWorkloads,
  parsePackedBytes,
  resultsFile,
  scriptCommand,
  workloadSubject,
} from "@stowage/bench";
import { benchPeers } from "@stowage/bench/peers";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [, , checkout, file, budget = "8", sizes = "32KiB,1MiB", types = "ddtbench,peers"] = process.argv;
const here = fileURLToPath(new URL("../../..", import.meta.url));
const contenders = [
  { title: "before", checkout: resolve(checkout) },
  { title: "after", checkout: here },
  { title: "again", checkout: here },
];
const subjects = namedWorkloads(types.split(",")).map(workloadSubject);
const out = resultsFile(file, "FILE");
const head = heading(scriptCommand());
const { rows, differences } = await benchPeers({
  subjects,
  sizes: sizes.split(",").map(parsePackedBytes),
  modes: ["bound"],
  budgetMs: Number(budget),
  contenders,
  child: { script: fileURLToPath(new URL("checkout-peer.mjs", import.meta.url)) },
  keep: (kept) => out.keep(head, kept),
  remark: (line) => console.error(line),
});
out.finish(head, rows);
if (differences.length > 0) throw new Error(`cells of other bytes: expected none, got ${differences.join("; ")}`);

/** Rows of a cell by contender; cells that more than one size asked for count once. */
const cells = new Map();
for (const row of rows) {
  if (row.contender.includes("@")) continue; // fragments
  const key = `${row.workload} ${row.packedBytes} ${row.direction}`;
  cells.set(key, { ...cells.get(key), direction: row.direction, [row.contender]: row });
}
const ratio = (a, b, what) => a[what] / b[what];
for (const direction of ["pack", "unpack"]) {
  const of = [...cells.values()].filter((cell) => cell.direction === direction);
  const mean = (a, b) => meanOf(of.map((cell) => ratio(cell[a], cell[b], "minNs"))).geometricMean.toFixed(3);
  const median = (a, b) => meanOf(of.map((cell) => ratio(cell[a], cell[b], "medianNs"))).geometricMean.toFixed(3);
  console.log(
    `${direction}, ${of.length} cells: ${median("before", "after")} times as fast as before by medians, ${mean("before", "after")} by minima; the same build again ${median("again", "after")}, ${mean("again", "after")}`,
  );
}
/** Slower by medians and by minima than the slower of the two processes of this build would explain. */
const slower = [...cells].filter(([, { before, after, again }]) =>
  ["medianNs", "minNs"].every((what) => before[what] < 0.95 * Math.min(after[what], again[what])),
);
console.log(`cells slower than before by more than 5 % in both processes, by medians and minima: ${slower.length}`);
for (const [name, { before, after, again }] of slower)
  console.log(
    `  ${name}: ${ratio(before, after, "medianNs").toFixed(2)}, again ${ratio(before, again, "medianNs").toFixed(2)}`,
  );
