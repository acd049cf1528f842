import { grouped, meanOf, significant } from "@stowage/bench";
import { lineTouches } from "@stowage/bench/plain-c";
import { rowsTable } from "@stowage/bench/results";
import { forEachRun } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { arrayBytes, workloadOn, x64On } from "../parts/host.mjs";

const LINE_BYTES = 64;
const MOST_ARRAY_BYTES = 2047 * 2 ** 20;
const lineOf = (at) => Math.floor(at / LINE_BYTES);

/** What of the scattered side a move touches in the layout's order, run by run and line by line. */
function forEachVisit({ layout, range, low }, see) {
  forEachRun(layout, range, (offset, length) => {
    const end = offset - low + length;
    for (let at = offset - low; at < end;) {
      const next = Math.min(end, (lineOf(at) + 1) * LINE_BYTES);
      see(at, next - at);
      at = next;
    }
  });
}

/** The width of a word that all of so many bytes have. */
const wordOf = (lengths) => 2 ** Math.floor(Math.log2(Math.min(8, ...new Set(lengths))));

/** A word that is moved in each line of the scattered side, in the order of addresses. */
function scatteredLines(cell) {
  const lines = Math.ceil((cell.direction === "pack" ? cell.source : cell.target).length / LINE_BYTES);
  const [start, longest] = [new Int32Array(lines), new Uint8Array(lines)];
  forEachVisit(cell, (at, length) => {
    if (length > longest[lineOf(at)]) [start[lineOf(at)], longest[lineOf(at)]] = [at, length];
  });
  const touched = [...longest.keys()].filter((line) => longest[line] > 0);
  return {
    places: Int32Array.from(touched, (line) => start[line]),
    width: wordOf(touched.map((line) => longest[line])),
  };
}

/** A word of each line as often as the layout comes to it from another; undefined where it comes to each but once. */
function visitsOf(cell, { places: lines }) {
  const [places, lengths] = [[], new Set()];
  let before = -1;
  forEachVisit(cell, (at, length) => {
    if (lineOf(at) !== before) places.push(at);
    lengths.add(length);
    before = lineOf(at);
  });
  return places.length > lines.length ? { places: Int32Array.from(places), width: wordOf(lengths) } : undefined;
}

/** A loop in C over lines, which must have changed every line of the target. */
function touches(cell, words) {
  const { direction, source, target, label } = cell;
  const call = lineTouches(words, label.packedBytes, direction, source, target);
  const packed = Array.from({ length: Math.ceil(label.packedBytes / LINE_BYTES) }, (_, i) => i * LINE_BYTES);
  const check = () => {
    const before = source.slice();
    source.fill(1);
    target.fill(2);
    call.run();
    source.set(before);
    const missed = (direction === "pack" ? packed : [...words.places]).find((at) => target[at] !== 1);
    if (missed !== undefined) throw new Error(`${label.workload}: expected a word in each line, got none at ${missed}`);
  };
  return { run: () => call.run(), check, facts: { lines: words.places.length + packed.length } };
}

/** The cells of a file of `bench --peers` with an MPI in them, and how many times as fast as the better one x64 was. */
function cellsOf(peers, pattern) {
  const cells = grouped(JSON.parse(readFileSync(peers, "utf8")).rows, (row) => `${row.workload} ${row.packedBytes} ${row.direction}`); // prettier-ignore
  return [...cells].flatMap(([key, rows]) => {
    const x64 = rows.find(({ contender }) => contender === "x64");
    const mpis = rows.filter(({ contender }) => /^(openmpi|mpich)-[^@]*$/.test(contender));
    if (x64 === undefined || mpis.length === 0 || !new RegExp(pattern).test(key)) return [];
    return [{ row: x64, overMpi: Math.min(...mpis.map(({ medianNs }) => medianNs)) / x64.medianNs }];
  });
}

export default {
  name: "line-bound",
  question: "How near is x64 to what the cache lines of a cell allow?",
  kind: "moves",
  options: {
    peers: { kind: "text", says: "a file of `stowage bench --peers`", byDefault: "results/epyc/peers.json" },
    pattern: { kind: "text", says: "cells whose name, bytes and direction match", byDefault: "." },
    rounds: { kind: "number", says: "samples", byDefault: 9 },
  },
  trial: { peers: "results/epyc/peers.json", pattern: "^vector-1of2 10\\d\\d ", rounds: 1 },
  sampling: ({ rounds }) => ({ budgetMs: 0, rounds, sampleUs: 150, warmUpMs: 2 }),
  *cells({ peers, pattern }, lab) {
    const leftOut = [];
    for (const { row, overMpi } of cellsOf(peers, pattern)) {
      const { workload, packedBytes, direction } = row;
      if (arrayBytes(workload, packedBytes) > MOST_ARRAY_BYTES) leftOut.push(`${workload} of ${packedBytes}`);
      else yield { ...workloadOn(workload, packedBytes, direction), overMpi };
    }
    lab.note({ leftOut });
  },
  contenders(cell) {
    const lines = scatteredLines(cell);
    const visits = visitsOf(cell, lines);
    const x64 = x64On(cell);
    return {
      x64: { ...x64, facts: { ...x64.facts, overMpi: cell.overMpi } },
      lines: touches(cell, lines),
      ...(visits === undefined ? {} : { visits: touches(cell, visits) }),
    };
  },
  text(rows) {
    const cells = [...grouped(rows, (row) => `${row.workload} ${row.packedBytes} ${row.direction}`).values()];
    const groups = grouped(cells, ([{ workload }]) => workload.replace(/\/\d+$/, ""));
    const line = ([group, own]) => {
      const ratio = (of, over) =>
        own.flatMap((cell) => {
          const [a, b] = [of, over].map((who) => cell.find(({ contender }) => contender === who)?.medianNs);
          return a === undefined || b === undefined ? [] : [a / b];
        });
      const mean = (values) => (values.length === 0 ? "-" : significant(meanOf(values).geometricMean));
      const overMpi = own.map((cell) => cell[0].overMpi).filter((value) => value !== undefined);
      return {
        ...{ group, cells: own.length, "x64 over the better MPI": mean(overMpi) },
        "x64 of the lines' speed": mean(ratio("lines", "x64")),
        "x64 of the visits' speed": mean(ratio("visits", "x64")),
      };
    };
    return rowsTable([...groups].map(line));
  },
};
