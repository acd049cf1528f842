// What the cache lines of a cell allow: node packages/backend-x64/bench/line-bound.mjs FILE [PEERS [PATTERN [ROUNDS]]]
// For each cell of PEERS, a file of `stowage bench --peers`: x64 beside a loop in C that reads or writes one word of
// each line that the move has to, in the order of addresses, and does nothing else. It meets the same pages, sets and
// prefetchers, and every move through the caches has to do as much; non-temporal stores may be faster. Where the layout
// comes back to lines that it has left, as lists of single elements do, a second loop goes through them in the layout's
// order, as often as it does ("visits"). A PATTERN picks cells by name, bytes and direction, and is printed cell by
// cell, else means of groups.
import { forEachRun } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { arrayBytes, openCell, verify } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { lineTouches } from "@stowage/bench/plain-c";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

const LINE_BYTES = 64;
const MIB = 2 ** 20;
const MOST_ARRAY_BYTES = 2047 * MIB;
const [, , file = "results/epyc/line-bound.json", peers = "results/epyc/peers.json", pattern, roundsText = "9"] =
  process.argv;

/**
 * What of the scattered side a move touches in the layout's order, run by run and line by line: `see` is told where and
 * how many bytes.
 */
function forEachVisit({ layout, range, low }, see) {
  forEachRun(layout, range, (offset, length) => {
    const end = offset - low + length;
    for (let at = offset - low; at < end;) {
      const next = Math.min(end, (Math.floor(at / LINE_BYTES) + 1) * LINE_BYTES);
      see(at, next - at);
      at = next;
    }
  });
}

/** The width of a word that all of so many bytes have. */
const wordOf = (lengths) => 2 ** Math.floor(Math.log2(Math.min(8, ...new Set(lengths))));

/** A word that is moved in each line of the scattered side, as far into its buffer, in the order of addresses. */
function scatteredLines(cell) {
  const bytes = (cell.direction === "pack" ? cell.source : cell.target).length;
  const [start, longest] = [
    new Int32Array(Math.ceil(bytes / LINE_BYTES)),
    new Uint8Array(Math.ceil(bytes / LINE_BYTES)),
  ];
  forEachVisit(cell, (at, length) => {
    const line = Math.floor(at / LINE_BYTES);
    if (length > longest[line]) [start[line], longest[line]] = [at, length];
  });
  const lines = [...longest.keys()].filter((line) => longest[line] > 0);
  return { places: Int32Array.from(lines, (line) => start[line]), width: wordOf(lines.map((line) => longest[line])) };
}

/**
 * A word of each line as often as the layout comes to it from another, in its order; undefined where it comes to each
 * but once.
 */
function visitsOf(cell, { places: lines }) {
  const [places, lengths] = [[], new Set()];
  let before = -1;
  forEachVisit(cell, (at, length) => {
    const line = Math.floor(at / LINE_BYTES);
    if (line !== before) places.push(at);
    lengths.add(length);
    before = line;
  });
  return places.length > lines.length ? { places: Int32Array.from(places), width: wordOf(lengths) } : undefined;
}

/** Every line of the target has changed. */
function verifyLines({ name, direction, source, target, packedBytes }, { places }, plan) {
  source.fill(1);
  target.fill(2);
  plan.run();
  const lines =
    direction === "pack"
      ? Array.from({ length: Math.ceil(packedBytes / LINE_BYTES) }, (_, i) => i * LINE_BYTES)
      : places;
  const missed = lines.find((at) => target[at] !== 1);
  if (missed !== undefined)
    throw new Error(`${name} ${direction}: expected a word in each line, got none at byte ${missed}`);
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
  const lines = scatteredLines(cell);
  const visits = visitsOf(cell, lines);
  const touched = Object.entries({ lines, visits }).filter(([, touches]) => touches !== undefined);
  const planOf = (touches) => lineTouches(touches, packedBytes, direction, cell.source, cell.target);
  const plans = Object.fromEntries(touched.map(([contender, touches]) => [contender, planOf(touches)]));
  const verified =
    touched.every(([contender, touches]) => verifyLines(cell, touches, plans[contender])) && verify(cell);
  const measured = measure({ x64: cell.contenders.x64, ...plans }, { rounds: Number(roundsText) });
  const { count, kernel } = cell;
  const linesOf = ({ places }) => places.length + Math.ceil(packedBytes / LINE_BYTES);
  for (const row of rowsOfCell({ workload: name, count, packedBytes, direction }, measured))
    rows.push({ ...row, verified, lines: linesOf(row.contender === "visits" ? visits : lines) });
  const share = measured.lines.medianNs / measured.x64.medianNs;
  const figures = {
    overMpi,
    share,
    allowed: overMpi / share,
    ...(visits === undefined ? {} : { visits: measured.visits.medianNs / measured.x64.medianNs }),
  };
  if (pattern !== undefined) add(key, figures);
  else {
    add(packedBytes <= 4 * MIB ? "to 1 MiB" : "16 MiB", figures);
    add(name.replace(/\/\d+$/, ""), figures);
  }
  cell.contenders.x64[Symbol.dispose]();
  kernel[Symbol.dispose]();
}

console.log(
  "| | cells | x64 over the better MPI | x64 of the lines' speed | the lines over the better MPI | x64 of the visits' speed |\n|---|---|---|---|---|---|",
);
for (const [group, figures] of groups) {
  const mean = (name) => {
    const known = figures.map((each) => each[name]).filter((value) => value !== undefined);
    return known.length === 0 ? "" : summarise(known).geometricMean.toFixed(2);
  };
  console.log(
    `| ${group} | ${figures.length} | ${mean("overMpi")} | ${mean("share")} | ${mean("allowed")} | ${mean("visits")} |`,
  );
}
for (const line of left) console.log(`left out: ${line}`);
writeResults(file, rows, { leftOut: left });
