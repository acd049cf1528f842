// x64 beside plain C loops: node packages/backend-x64/bench/against-plain-c.mjs PATTERN FILE [ROUNDS] [MOST_BYTES]
// Every workload whose name matches PATTERN, at 1 KiB to 16 MiB packed where it has such a size, packed and unpacked.
import { nearestPackedBytes, workloadNames } from "@stowage/workloads";
import { probeMachine } from "../dist/memory/machine.js";
import { arrayBytes, openCell, verify } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { summarise, writeResults } from "./results.mjs";

const [, , pattern = ".", file = "results/epyc/plain-c.json", roundsText = "15", mostText = "20971520"] = process.argv;
const SIZES = [1024, 32 * 1024, 1024 * 1024, 16 * 1024 * 1024];
const MOST_ARRAY_BYTES = 1024 * 1024 * 1024;

/** Sizes that a workload can have, near those wanted; its own where it is between two. */
function sizesOf(name) {
  const nearest = SIZES.map((size) => nearestPackedBytes(name, size)).filter((size) => size <= Number(mostText));
  return [...new Set(nearest)];
}

const rows = [];
const left = [];
const ratios = { median: [], least: [] };
const names = workloadNames().filter((name) => new RegExp(pattern).test(name));
for (const name of names) {
  for (const size of sizesOf(name)) {
    if (arrayBytes(name, size) > MOST_ARRAY_BYTES) {
      left.push(`${name} at ${size} bytes packed: its array takes more than ${MOST_ARRAY_BYTES} bytes`);
      continue;
    }
    for (const direction of ["pack", "unpack"]) {
      const cell = openCell(name, size, direction);
      const verified = verify(cell);
      const measured = measure({ ...cell.contenders, memcpy: cell.memcpy }, { rounds: Number(roundsText) });
      for (const [contender, times] of Object.entries(measured)) {
        const commit = contender === "x64" ? { commitNs: cell.commitNs } : {};
        rows.push({
          workload: name,
          count: cell.count,
          packedBytes: cell.packedBytes,
          direction,
          route: "host",
          contender,
          ...times,
          verified,
          ...commit,
        });
      }
      const [median, least] = [
        measured["c-O3"].medianNs / measured.x64.medianNs,
        measured["c-O3"].minNs / measured.x64.minNs,
      ];
      ratios.median.push(median);
      ratios.least.push(least);
      const rate = (who) => (cell.packedBytes / measured[who].minNs).toFixed(1).padStart(6);
      console.log(
        `${name.padEnd(20)} ${String(cell.packedBytes).padStart(9)} ${direction.padEnd(6)} ${rate("x64")} / ${rate("c-O3")} GB/s of ${rate("memcpy")}: ${median.toFixed(2)} (of minima ${least.toFixed(2)})`,
      );
      cell.contenders.x64[Symbol.dispose]();
      cell.kernel[Symbol.dispose]();
    }
  }
}
for (const line of left) console.log(`left out: ${line}`);
const summary = { ofMedians: summarise(ratios.median), ofMinima: summarise(ratios.least) };
console.log(JSON.stringify(summary));
writeResults(file, rows, { level: probeMachine().machine.level, leftOut: left });
