// The table of docs/design/mpi-matrix.md that says on which MPIs what passed, of the files that
// `npm run test:mpi -- RELEASE` writes into results/mpis. `node scripts/mpi-matrix.mjs` says whether it is that table;
// with --update it writes it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { grouped, meanOf } from "../packages/bench/dist/index.js";
import { keepSections, read, root, table } from "./generated-sections.mjs";
import { SUITES } from "./mpi-suites.mjs";

const DOCUMENT = "docs/design/mpi-matrix.md";
const FOLDER = "results/mpis";
/** Ping-pongs of two machines: 2 cores of an EPYC, which other work shared, and 16 of a Xeon. */
const PING_PONGS = { "an EPYC": "results/epyc", "a Xeon": "results/xeon" };
/** Every MPI of three releases of Debian, as loadMpi names it: `-abi` is its library of the standard's ABI. */
const MATRIX = {
  "openmpi-4.1.4": "bookworm",
  "mpich-4.0.2": "bookworm",
  "openmpi-5.0.7": "trixie",
  "mpich-4.2.1": "trixie",
  "openmpi-6.0.0rc2": "sid",
  "mpich-5.0.2": "sid",
  "openmpi-6.0.0rc2-abi": "sid",
  "mpich-5.0.2-abi": "sid",
};
/** Of native: as few cells as may be lie below. */
const LEAST = 0.97;
const NOT_RUN = "not run";

const jsonIn = (folder, prefix = "") =>
  readdirSync(join(root, folder))
    .filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
    .map((name) => ({ source: `${folder}/${name}`, ...JSON.parse(read(`${folder}/${name}`)) }));

const mpis = jsonIn(FOLDER);
const pingPongs = Object.values(PING_PONGS).map((folder) => jsonIn(folder, "interposer-ping-pong"));
const fileOf = (name) => mpis.find((each) => each.name === name);

const thousands = (count) => count.toLocaleString("en-US");
const dayOf = (date) => date.slice(0, 10);

const suiteOf = ({ suites }, suite) => {
  const told = suites[suite];
  if (told === undefined) return NOT_RUN;
  const counts = { passed: told.passed, failed: told.failed.length, skipped: told.skipped };
  return Object.entries(counts)
    .filter(([how, count]) => count > 0 || how === "passed")
    .map(([how, count]) => `${count} ${how}`)
    .join(", ");
};

/** Of all messages that are not contiguous, how many went by our code. */
const shareOf = ({ ours, native }) => `ours: ${thousands(ours)} of ${thousands(ours + native)}`;

function soakOf({ soak }) {
  if (soak === undefined) return [NOT_RUN, NOT_RUN, NOT_RUN, NOT_RUN];
  const { mode, sent, received, messages, isSame, differences, ranges } = soak;
  const bytes = isSame ? "the same bytes" : "other bytes";
  const compared = `${thousands(ranges)} ranges compared, ${thousands(differences)} differences`;
  return [mode, shareOf(sent), shareOf(received), `${thousands(messages)}: ${bytes}, ${compared}`];
}

/**
 * A release's name in a ping-pong's file is without what it is a candidate of: of the file, or in files of `lab run
 * interposer-ping-pong` of each row, of which those of our library say how many times as fast it is. The newest
 * commit's runs count, and a cell lies below where it does in each of them.
 */
function pingPongOf(name, files) {
  const release = name.replace(/rc\d+/, "");
  const isOf = (mpi, row) => (mpi ?? row.mpi) === release && row.timesAsFast !== undefined;
  const all = files
    .map((file) => ({ ...file, rows: file.rows.filter((row) => isOf(file.mpi, row)) }))
    .filter(({ rows }) => rows.length > 0)
    .toSorted((a, b) => b.date.localeCompare(a.date));
  const [newest] = all;
  return newest === undefined ? NOT_RUN : cellsOf(all.filter(({ commit }) => commit === newest.commit));
}

/** Of several runs, with a link to the last. */
function cellsOf(runs) {
  const cells = grouped(
    runs.flatMap(({ rows }) => rows),
    ({ workload, size }) => `${workload} ${size}`,
  );
  const times = [...cells.values()].map((rows) => rows.map(({ timesAsFast }) => timesAsFast));
  const mean = meanOf(times.map((each) => meanOf(each).geometricMean)).geometricMean;
  const below = times.filter((each) => each.every((one) => one < LEAST)).length;
  const how = runs.length === 1 ? "" : ` in each of ${runs.length} runs`;
  return `[${mean.toFixed(2)}, ${below} below ${LEAST}${how}](../../${runs[0].source})`;
}

/** Of what was run, from the first day to the last. */
function daysOf({ suites, soak }) {
  const days = [...Object.values(suites), soak].filter((each) => each !== undefined).map(({ date }) => dayOf(date));
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

const pingPongsOf = (name) => pingPongs.map((files) => pingPongOf(name, files));

const HEAD = ["MPI", "Debian", "packing", "sent", "received", "soak, messages", ...Object.keys(SUITES)];

function matrix() {
  const lines = Object.entries(MATRIX).map(([name, release]) => {
    const file = fileOf(name);
    if (file === undefined) return [name, release, ...HEAD.slice(2).map(() => NOT_RUN), ...pingPongsOf(name), "-"];
    const suites = Object.keys(SUITES).map((suite) => suiteOf(file, suite));
    return [`[${name}](../../${file.source})`, release, ...soakOf(file), ...suites, ...pingPongsOf(name), daysOf(file)];
  });
  return table([...HEAD, ...Object.keys(PING_PONGS).map((machine) => `ping-pong on ${machine}`), "run on"], lines);
}

const strangers = mpis.filter(({ name }) => !(name in MATRIX));
if (strangers.length > 0)
  throw new Error(`${FOLDER}: expected MPIs of the matrix, got ${strangers.map(({ source }) => source).join(", ")}`);
keepSections("scripts/mpi-matrix.mjs", DOCUMENT, { "what passed on which MPI": matrix });
