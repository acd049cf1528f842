// What an exchange of no elements costs beside what no call from JavaScript can do without: a call of a function that
// does nothing, and the call of MPI alone, its arguments written before and nothing checked. In turns, in one process.
// mpirun -n 1 node packages/mpi-bridge/bench/exchanges-of-nothing.mjs [--out FILE] [--samples N]
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { heading, outputFolder, writeResults } from "@stowage/bench";
import { openMpi } from "@stowage/mpi-bridge";
import koffi from "koffi";
import { executable } from "../dist/native/executable.js";
import { WrittenCall } from "../dist/native/launcher.js";
import { ints } from "../dist/native/words.js";

const { values: options } = parseArgs({
  options: { out: { type: "string" }, samples: { type: "string", default: "60" } },
});
const TURNS = 20_000;
const mpi = openMpi();
const { world } = mpi;
const { rank, size } = world;
const { native } = world.shared;

const RET = 0xc3;
const nothing = koffi.decode(BigInt(executable(Uint8Array.of(RET))), koffi.proto("void stowage_nothing()"));

const [places, zeros] = [Array.from({ length: size }, (_, i) => 8 * i), Array.from({ length: size }, () => 0)];
const bytes = () => new Uint8Array(8 * size).fill(rank + 1);
const parts = () => ({ buffer: bytes(), datatype: "MPI_BYTE", counts: [...zeros], displacements: [...places] });
const types = () => zeros.map(() => "MPI_BYTE");
const typed = () => ({ buffer: bytes(), datatypes: types(), counts: [...zeros], displacementsBytes: [...places] });

/** A call, and the memory that it reaches. */
function writtenCall() {
  const call = new WrittenCall();
  const tables = ints(size);
  const byte = mpi.typeOf("MPI_BYTE").native;
  const side = [tables.address, tables.address, tables.address, byte];
  [native.entryOf("MPI_Alltoallv"), ...side, ...side, world.handle].forEach((word, i) => call.write(i, word));
  return { call, tables };
}
const written = writtenCall();
const [sent, received, sentTyped, receivedTyped] = [parts(), parts(), typed(), typed()];
const CONTENDERS = {
  "a function that does nothing": () => nothing(),
  "MPI_Alltoallv alone, written before": () => native.launchWritten(written.call),
  alltoallv: () => world.alltoallv(sent, received),
  alltoallw: () => world.alltoallw(sentTyped, receivedTyped),
};

/** A loop of its own for each, or V8 compiles one for all. */
const loopOf = (run) => {
  const loop = new Function("run", "turns", "for (let i = 0; i < turns; i++) run();");
  return (turns) => {
    world.barrier();
    const start = performance.now();
    loop(run, turns);
    return ((performance.now() - start) / turns) * 1e6;
  };
};

const contenders = Object.entries(CONTENDERS).map(([name, run]) => ({ name, timed: loopOf(run), times: [] }));
for (const { timed } of contenders) timed(2 * TURNS);
const samples = Number(options.samples);
for (let sample = 0; sample < samples; sample++) for (const { timed, times } of contenders) times.push(timed(TURNS));
for (const { buffer } of [sent, received, sentTyped, receivedTyped])
  if (buffer.some((byte) => byte !== rank + 1)) throw new Error("an exchange of nothing: expected no byte to move");
const rows = contenders.map(({ name, times }) => {
  times.sort((a, b) => a - b);
  const row = { mpi: mpi.mpi.name, ranks: size, workload: "an exchange of nothing", contender: name };
  return { ...row, medianNs: times[samples >> 1], minNs: times[0], maxNs: times.at(-1), samples, verified: true };
});
if (rank === 0) {
  for (const { contender, minNs, medianNs } of rows)
    console.log(`${mpi.mpi.name}, ${contender}: least ${minNs.toFixed(1)} ns, median ${medianNs.toFixed(1)}`);
  if (options.out !== undefined) {
    outputFolder(dirname(options.out), "out");
    const words = process.argv.slice(2).join(" ");
    const command = `mpirun -n ${size} node packages/mpi-bridge/bench/exchanges-of-nothing.mjs ${words}`;
    writeResults(options.out, { ...heading(command), schema: "stowage-bridge/1" }, rows);
  }
}
