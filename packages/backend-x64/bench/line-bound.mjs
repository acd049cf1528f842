// What the cache lines of a cell allow: node packages/backend-x64/bench/line-bound.mjs FILE [PEERS [PATTERN [ROUNDS]]]
// For each cell of PEERS, a file of `stowage bench --peers`: x64 beside a loop in C that reads or writes one word of each line that
// the move has to, in the order of addresses, and does nothing else. It meets the same pages, sets and prefetchers, and every move
// through the caches has to do as much; stores past the cache may be faster. A PATTERN picks cells by name, bytes and direction,
// and is printed cell by cell, else means of groups.
import { forEachRun } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { arrayBytes, openCell, verify } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { LinesPlan } from "./plain-c.mjs";
import { summarise, writeResults } from "./results.mjs";

const LINE_BYTES = 64;
const MIB = 2 ** 20;
const MOST_ARRAY_BYTES = 2047 * MIB;
const [, , file = "results/x64-line-bound.json", peers = "results/peers.json", pattern, roundsText = "9"] = process.argv;

/** A word that is moved in each line of the scattered side, as far into its buffer, and the width that all of them have. */
function scatteredLines({ layout, range, low, source, target, direction }) {
  const bytes = (direction === "pack" ? source : target).length;
  const [start, longest] = [new Int32Array(Math.ceil(bytes / LINE_BYTES)), new Uint8Array(Math.ceil(bytes / LINE_BYTES))];
  forEachRun(layout, range, (offset, length) => {
    const end = offset - low + length;
    for (let at = offset - low; at < end; ) {
      const line = Math.floor(at / LINE_BYTES);
      const next = Math.min(end, (line + 1) * LINE_BYTES);
      if (next - at > longest[line]) [start[line], longest[line]] = [at, next - at];
      at = next;
    }
  });
  const lines = [...longest.keys()].filter((line) => longest[line] > 0);
  const width = 2 ** Math.floor(Math.log2(Math.min(8, ...new Set(lines.map((line) => longest[line])))));
  return { places: Int32Array.from(lines, (line) => start[line]), width };
}

/** Every line of the target has changed. */
function verifyLines({ name, direction, source, target, packedBytes }, { places }, plan) {
  source.fill(1);
  target.fill(2);
  plan.run();
  const lines = direction === "pack" ? Array.from({ length: Math.ceil(packedBytes / LINE_BYTES) }, (_, i) => i * LINE_BYTES) : places;
  const missed = lines.find((at) => target[at] !== 1);
  if (missed !== undefined) throw new Error(`${name} ${direction}: expected a word in each line, got none at byte ${missed}`);
  return true;
}

/** The cells of PEERS with an MPI in them: how many times as fast as the better one x64 was. */
function cellsOf() {
  const byCell = new Map();
  for (const row of JSON.parse(readFileSync(peers, "utf8")).rows) {
    const key = `${row.workload} ${row.packedBytes} ${row.direction}`;
    byCell.set(key, { ...byCell.get(key), [row.contender]: row });
  }
  return [...byCell].flatMap(([key, { x64, ...others }]) => {
    const mpis = Object.keys(others).filter((name) => /^(openmpi|mpich)-[^@]*$/.test(name));
    if (x64 === undefined || mpis.length === 0 || (pattern !== undefined && !new RegExp(pattern).test(key))) return [];
    return [{ key, row: x64, overMpi: Math.min(...mpis.map((name) => others[name].medianNs)) / x64.medianNs }];
  });
}

const rows = [];
const left = [];
const groups = new Map();
const add = (group, figures) => groups.set(group, [...(groups.get(group) ?? []), figures]);
for (const { key, row, overMpi } of cellsOf()) {
  const { workload: name, packedBytes, direction } = row;
  if (arrayBytes(name, packedBytes) > MOST_ARRAY_BYTES) {
    left.push(`${key}: its array takes more than ${MOST_ARRAY_BYTES} bytes`);
    continue;
  }
  const cell = openCell(name, packedBytes, direction);
  const touched = scatteredLines(cell);
  const lines = new LinesPlan(touched, packedBytes, direction, cell.source, cell.target);
  const verified = verifyLines(cell, touched, lines) && verify(cell);
  const measured = measure({ x64: cell.contenders.x64, lines }, { rounds: Number(roundsText) });
  const { count, kernel } = cell;
  for (const [contender, times] of Object.entries(measured)) {
    rows.push({ workload: name, count, packedBytes, direction, route: "host", contender, ...times, verified, lines: touched.places.length + Math.ceil(packedBytes / LINE_BYTES) });
  }
  const share = measured.lines.medianNs / measured.x64.medianNs;
  const figures = { overMpi, share, allowed: overMpi / share };
  if (pattern !== undefined) add(key, figures);
  else {
    add(packedBytes <= 4 * MIB ? "to 1 MiB" : "16 MiB", figures);
    add(name.replace(/\/\d+$/, ""), figures);
  }
  cell.contenders.x64[Symbol.dispose]();
  kernel[Symbol.dispose]();
}

console.log("| | cells | x64 over the better MPI | x64 of the lines' speed | the lines over the better MPI |\n|---|---|---|---|---|");
for (const [group, figures] of groups) {
  const mean = (name) => summarise(figures.map((each) => each[name])).geometricMean.toFixed(2);
  console.log(`| ${group} | ${figures.length} | ${mean("overMpi")} | ${mean("share")} | ${mean("allowed")} |`);
}
for (const line of left) console.log(`left out: ${line}`);
writeResults(file, rows, { leftOut: left });
