// A result file of what device-ping-pong printed: node device-rows.mjs OUT ROUTE MACHINE COMMIT LINES. ROUTE: that of the interposer. MACHINE is JSON,
// of what was recorded where it ran: this program runs elsewhere, and knows nothing of it. The date is that of the file of lines.
import { readFileSync, statSync, writeFileSync } from "node:fs";

const [out, route, machine, commit, lineFile] = process.argv.slice(2);
const lines = readFileSync(lineFile, "utf8").trim().split("\n").map(JSON.parse);
const ns = (us) => Math.round(us * 1000);
const rows = lines
  .filter(({ verified }) => verified)
  .map(({ bytes, block, contender, medianUs, minUs, maxUs }) => ({
    workload: `vector of ${block}-byte blocks, one way`,
    count: 1,
    packedBytes: bytes,
    direction: "copy",
    route: contender === "type" ? route : "one-shot",
    contender: { type: "interposer", hand: "hand-written kernels", bytes: "MPI on pinned bytes" }[contender],
    medianNs: ns(medianUs),
    minNs: ns(minUs),
    maxNs: ns(maxUs),
    runs: 15,
    verified: true,
    commitNs: 0,
  }));
const command = "stowage run -- mpirun -n 2 ./device-ping-pong device-hand.cubin";
const date = statSync(lineFile).mtime.toISOString();
const text = { schema: "stowage-results/1", command, date, commit, machine: JSON.parse(machine), rows };
writeFileSync(out, `${JSON.stringify(text, undefined, 1)}\n`);
