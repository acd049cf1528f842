// A result file of what device-ping-pong or device-halo printed: node device-rows.mjs OUT ROUTE MACHINE COMMIT LINES
// [ROUTE LINES]... ROUTE: that of the interposer; of several, each was forced by a table of routes, and other
// contenders are told apart by which they took turns with. MACHINE is JSON, of what was recorded where it ran: this
// program runs elsewhere, and knows nothing of it. The date is that of the file of lines.
import { readFileSync, statSync, writeFileSync } from "node:fs";

const [out, first, machine, commit, lineFile, ...more] = process.argv.slice(2);
const files = [first, lineFile, ...more];
const runs = files.flatMap((route, i) => (i % 2 === 0 ? [{ route, path: files[i + 1] }] : []));
const linesOf = ({ route, path }) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => ({ route, ...JSON.parse(line) }));
const lines = runs.flatMap(linesOf);
const ns = (us) => Math.round(us * 1000);
const NAMES = {
  type: "interposer",
  messages: "interposer, MPI_Isend and MPI_Irecv",
  persistent: "interposer, persistent requests",
  neighbours: "interposer, MPI_Neighbor_alltoallw",
  hand: "hand-written kernels",
  bytes: "MPI on pinned bytes",
};
const OURS = ["type", "messages", "persistent", "neighbours"];
/** The route that a run takes by no table but the machine's: what docs/design/interposer.md says that it chooses. */
const CHOSEN = (bytes) => (bytes >= 8 * 2 ** 20 ? "pipelined" : "one-shot");
const routeOf = (contender, route, bytes) => {
  if (!OURS.includes(contender)) return "one-shot";
  return route === "chosen" ? CHOSEN(bytes) : route;
};
const nameOf = (contender, route) => {
  if (runs.length === 1) return NAMES[contender];
  if (OURS.includes(contender))
    return route === "chosen" ? `${NAMES[contender]}, route by the profile` : NAMES[contender];
  return `${NAMES[contender]}, in turns with ${route}`;
};
const workloadOf = ({ halo, ranks, block }) =>
  halo === undefined ? `vector of ${block}-byte blocks, one way` : `halo26 of ${halo}^3 floats a rank, ${ranks} ranks`;
const rows = lines
  .filter(({ verified }) => verified)
  .map(({ contender, route, bytes, runs = 15, medianUs, minUs, maxUs, ...line }) => ({
    workload: workloadOf(line),
    count: 1,
    packedBytes: bytes,
    direction: "copy",
    route: routeOf(contender, route, bytes),
    contender: nameOf(contender, route),
    medianNs: ns(medianUs),
    minNs: ns(minUs),
    maxNs: ns(maxUs),
    runs,
    verified: true,
    commitNs: 0,
  }));
const command =
  lines[0].halo === undefined
    ? `${runs.length > 1 ? "STOWAGE_DEVICE_ROUTES=TABLE " : ""}stowage run -- mpirun -n 2 ./device-ping-pong device-hand.cubin${runs.length > 1 ? " 67108864" : ""}`
    : "stowage run -- mpirun -n RANKS ./device-halo POINTS 10 device-hand.cubin";
const date = statSync(lineFile).mtime.toISOString();
const text = { schema: "stowage-results/1", command, date, commit, machine: JSON.parse(machine), rows };
writeFileSync(out, `${JSON.stringify(text, undefined, 1)}\n`);
