// What the cache lines of a cell allow: node packages/backend-x64/bench/line-bound.mjs [RESULTS [PATTERN]]
// RESULTS is a file of `stowage bench --peers`. Packing reads the lines that hold blocks and writes the lines of the
// packed stream; unpacking the reverse. The yardstick is the time in which memcpy, in the same run, moves as many lines.
// It knows nothing of pages, of sets of a cache, or of the order of accesses: real bounds are lower. With a PATTERN, each
// cell whose name, bytes and direction match it, else means of groups.
import { reachOf } from "@stowage/backend-api";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { nearestPackedBytes, workload } from "@stowage/workloads";
import { readFileSync } from "node:fs";
import { median } from "./measure.mjs";
import { summarise } from "./results.mjs";

const LINE_BYTES = 64;
const MIB = 2 ** 20;
const [, , file = "results/peers.json", pattern] = process.argv;
const { rows } = JSON.parse(readFileSync(file, "utf8"));

/** Lines that hold some byte of the scattered side; arrays start on pages. */
function scatteredLines(name, packedBytes) {
  const { datatype, count } = workload(name, { packedBytes: nearestPackedBytes(name, packedBytes) });
  const layout = canonicalise(lower(datatype));
  if (layout.sizeBytes * count !== packedBytes) throw new Error(`${name}: expected ${packedBytes} packed bytes, got ${layout.sizeBytes * count}`);
  const range = { count, first: 0, length: packedBytes };
  const { lowBytes, highBytes } = reachOf(layout, range);
  const start = Math.min(0, lowBytes);
  const seen = new Uint8Array(Math.ceil((highBytes - start) / LINE_BYTES));
  let lines = 0;
  forEachRun(layout, range, (offset, length) => {
    const last = Math.floor((offset - start + length - 1) / LINE_BYTES);
    for (let line = Math.floor((offset - start) / LINE_BYTES); line <= last; line++) {
      lines += 1 - seen[line];
      seen[line] = 1;
    }
  });
  return lines;
}

/** Time of memcpy for any number of bytes: medians of its cells within a quarter of an octave, lines between them. */
function memcpyCurve() {
  const bins = new Map();
  for (const { contender, packedBytes, medianNs } of rows) {
    if (contender !== "memcpy") continue;
    const bin = Math.round(4 * Math.log2(packedBytes));
    bins.set(bin, [...(bins.get(bin) ?? []), medianNs / packedBytes]);
  }
  const points = [...bins].map(([bin, values]) => ({ log: bin / 4, nsPerByte: median(values) })).sort((a, b) => a.log - b.log);
  return (bytes) => {
    const log = Math.log2(bytes);
    const above = points.findIndex((point) => point.log >= log);
    if (above <= 0) return bytes * points.at(above).nsPerByte;
    const [from, to] = [points[above - 1], points[above]];
    const part = (log - from.log) / (to.log - from.log);
    return bytes * (from.nsPerByte + part * (to.nsPerByte - from.nsPerByte));
  };
}

const nsOf = memcpyCurve();
const linesOf = new Map();
const byCell = new Map();
for (const row of rows) {
  const key = `${row.workload} ${row.packedBytes} ${row.direction}`;
  byCell.set(key, { ...byCell.get(key), [row.contender]: row });
}

const groups = new Map();
const add = (group, figures) => groups.set(group, [...(groups.get(group) ?? []), figures]);
for (const contenders of byCell.values()) {
  const { x64, ...others } = contenders;
  const mpis = Object.keys(others).filter((name) => /^(openmpi|mpich)-[^@]*$/.test(name));
  if (x64 === undefined || mpis.length === 0) continue;
  const key = `${x64.workload} ${x64.packedBytes}`;
  if (!linesOf.has(key)) linesOf.set(key, scatteredLines(x64.workload, x64.packedBytes));
  const lines = linesOf.get(key) + Math.ceil(x64.packedBytes / LINE_BYTES);
  const boundNs = nsOf((lines * LINE_BYTES) / 2);
  const mpiNs = Math.min(...mpis.map((name) => others[name].medianNs));
  const figures = { x64: mpiNs / x64.medianNs, lines: mpiNs / boundNs, share: boundNs / x64.medianNs };
  const cell = `${key} ${x64.direction}`;
  if (pattern !== undefined) {
    if (new RegExp(pattern).test(cell)) add(cell, figures);
    continue;
  }
  add(x64.packedBytes <= 4 * MIB ? "to 1 MiB" : "16 MiB", figures);
  add(x64.workload.replace(/\/\d+$/, ""), figures);
}

console.log("| | cells | x64 over the better MPI | memcpy of as many lines over the better MPI | x64 of that memcpy's speed |\n|---|---|---|---|---|");
for (const [group, figures] of groups) {
  const mean = (name) => summarise(figures.map((each) => each[name])).geometricMean.toFixed(2);
  console.log(`| ${group} | ${figures.length} | ${mean("x64")} | ${mean("lines")} | ${mean("share")} |`);
}
