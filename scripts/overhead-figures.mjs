// The figures of docs/design/overheads.md, of the files in results/. `node scripts/overhead-figures.mjs` says whether
// they are those; with --update it writes them.
import { formatNs } from "../packages/bench/dist/index.js";
import { experimentOf, findingsOf, median, parseOverheads, project } from "../packages/overheads/dist/index.js";
import { keepSections, read, table } from "./generated-sections.mjs";

const DOCUMENT = "docs/design/overheads.md";
const MACHINES = { EPYC: "results/epyc", Xeon: "results/h200" };
/** On the Xeon, of one day. */
const RUNS = ["openmpi", "mpich", "mpich-c", "openmpi-again", "mpich-again"];
const PROJECTED = "results/h200/overheads-projected.json";
const FAMILIES = { "Open MPI": "openmpi", MPICH: "mpich" };
const WITHIN = 0.25;

const rowsOf = (path) => parseOverheads(read(path), path).rows;
const by = (caller, rows) => rows.filter((row) => row.by === caller);

/**
 * Each MPI on each machine. The Xeon's rows of the bridge are those of its second run, of which
 * docs/design/overheads.md says why.
 */
const sides = Object.entries(MACHINES).flatMap(([machine, folder]) =>
  Object.entries(FAMILIES).map(([family, name]) => {
    const first = rowsOf(`${folder}/overheads-${name}.json`);
    const bridge = machine === "Xeon" ? rowsOf(`${folder}/overheads-${name}-again.json`) : first;
    return { machine, family, mpi: first[0].mpi, rows: [...by("c", first), ...by("bridge", bridge)] };
  }),
);
const { projected } = JSON.parse(read(PROJECTED));

function findings() {
  const judged = sides.map(({ mpi, rows }) => findingsOf({ rows }, mpi));
  const lines = judged[0].flatMap(({ experiment, paper }, i) =>
    sides.map(({ machine, family }, k) => {
      const { verdict, says } = judged[k][i];
      const first = k === 0 ? [experimentOf(experiment).section, paper] : ["", ""];
      return [...first, `${family}, ${machine}`, verdict, says];
    }),
  );
  return table(["section", "the paper", "MPI", "today", "because"], lines);
}

/** The longest queue of a world of two, or the shortest message. */
const AVOIDED = [
  ["waitany, 4,096 requests (3.4)", "waitany", "requests", 4096, "MPI", "bridge"],
  ["match behind 4,096 receives (3.3)", "matching", "requests", 4096, "MPI", "bridge, hashed"],
  ["match behind 4,096 messages (3.7)", "unexpected", "messages", 4096, "MPI", "bridge, hashed"],
  ["a message to nobody (3.9)", "checking", "call", 0, "checked", "bridge, checked"],
  ["the same, bound once (3.9)", "checking", "call", 0, "checked", "bridge, bound"],
];

const timeOf = (rows, ranks, experiment, panel, x, series) => {
  const found = rows.find(
    (row) =>
      row.ranks === ranks &&
      row.experiment === experiment &&
      row.panel === panel &&
      row.x === x &&
      row.series === series,
  );
  return found === undefined ? "-" : formatNs(found.medianNs);
};

function avoided() {
  const lines = AVOIDED.map(([title, experiment, panel, x, theirs, ours]) => [
    title,
    ...sides.map(({ rows }) =>
      [theirs, ours].map((series) => timeOf(rows, 2, experiment, panel, x, series)).join(" -> "),
    ),
  ]);
  return table(["from C -> the bridge", ...sides.map(({ machine, family }) => `${family}, ${machine}`)], lines);
}

const SPARSE = ["MPI", "bridge", "bridge, no peers", "MPI, neighbours", "bridge, neighbours", "bridge, peers"];

function sparse() {
  const lines = sides.flatMap(({ machine, family, rows }) =>
    [...new Set(rows.map(({ ranks }) => ranks))]
      .sort((a, b) => a - b)
      .map((ranks) => [
        `${family}, ${machine}`,
        ranks,
        ...SPARSE.map((series) => timeOf(rows, ranks, "sparse", "alltoallv", ranks, series)),
      ]),
  );
  return table(["MPI", "ranks", ...SPARSE], lines);
}

const percent = (share) => `${Math.round(100 * share)} %`;

function models() {
  const lines = RUNS.flatMap((name) => {
    const rows = rowsOf(`results/h200/overheads-${name}.json`);
    return Object.entries({ C: "c", "the bridge": "bridge" }).flatMap(([caller, callerName]) => {
      const judged = project(by(callerName, rows), []).filter(({ errors }) => errors.length > 0);
      const missed = judged.filter(({ errors }) => median(errors) > WITHIN);
      const names = missed.map(({ experiment, panel, series, errors }) => {
        return `${experiment}, ${panel}: ${series} (${percent(median(errors))})`;
      });
      const others = callerName === "c" ? names.join("; ") || "none" : `${names.length}`;
      return judged.length === 0
        ? []
        : [[name, caller, `${judged.length - missed.length} of ${judged.length}`, others]];
    });
  });
  return table(["run", "called from", "models within 25 % at 16 ranks", "others, by their median error"], lines);
}

const LOOPS = ["original", "no error checks", "no modulo", "two at a time"];
const MOST_COUNTS = 131072;

/** The line of starts, over all runs on the Xeon: the loops call nothing of MPI. */
function starts() {
  const rows = RUNS.flatMap((name) => rowsOf(`results/h200/overheads-${name}.json`));
  const lines = LOOPS.map((series) => {
    const times = rows.filter((row) => row.panel === "loop" && row.series === series && row.x === MOST_COUNTS);
    const sorted = times.map(({ medianNs }) => medianNs).sort((a, b) => a - b);
    const within = median(times.map(({ minNs, maxNs }) => maxNs / minNs));
    const [least, most] = [sorted[0], sorted.at(-1)];
    return [series, times.length, formatNs(least), formatNs(most), (most / least).toFixed(2), within.toFixed(2)];
  });
  return table(["loop", "starts", "least", "most", "most over least", "the same within a start"], lines);
}

/** Besides waiting for others and for the wire. */
const largest = (causes) =>
  Object.entries(causes)
    .filter(([cause]) => cause !== "waiting")
    .reduce((most, each) => (each[1] > most[1] ? each : most));

function halos() {
  const lines = projected.flatMap(({ mpi, halos }) =>
    halos.map(({ mode, ranks, block, exchangeNs, causes }) => {
      const [cause, ns] = largest(causes);
      const rest = percent(causes.waiting / exchangeNs);
      return [mpi, mode, ranks, block.join("x"), formatNs(exchangeNs), `${cause} ${percent(ns / exchangeNs)}`, rest];
    }),
  );
  return table(["MPI", "by", "ranks", "block", "exchange", "largest overhead", "waiting"], lines);
}

const SECTIONS = { findings, avoided, sparse, models, starts, halos };
keepSections("scripts/overhead-figures.mjs", DOCUMENT, SECTIONS);
