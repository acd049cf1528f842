// A two-dimensional FFT, after Hoefler and Gottlieb 2010: mpirun -n 2 node fft2.mjs --size 256 --iterations 100
// [--check] [--json] Rows are divided among ranks. Each iteration transforms them, transposes the matrix by an
// all-to-all, in which columns go and rows arrive, and transforms again. The transpose goes by the MPI's own datatypes
// and by ours, in turns.
import { contiguous, predefined, resized, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { options, Phases, tell } from "../phases.mjs";
import { RowFft } from "./fft.mjs";

const { size: edge, iterations, check, json } = options({ size: 256, iterations: 100, check: false, json: false });
const mpi = openMpi();
const { world } = mpi;
const share = edge / world.size;
if (!Number.isInteger(share)) throw new Error(`--size: expected a multiple of ${world.size} ranks, got ${edge}`);

const COMPLEX_BYTES = 16;
const complex = contiguous(2, predefined("MPI_DOUBLE"));
const column = resized(0, COMPLEX_BYTES, vector(share, 1, edge, complex));
/**
 * What goes to one rank: its columns of our rows. What comes from one: its rows of our columns, side by side in ours.
 */
const columns = contiguous(share, column);
const rows = resized(0, share * COMPLEX_BYTES, vector(share, share, edge, complex));

const fft = new RowFft(edge);
const initial = Float64Array.from({ length: 2 * share * edge }, (_, i) => valueAt(2 * world.rank * share * edge + i));

const types = [mpi.commit(columns, { carrier: "native" }), mpi.commit(rows, { route: "native" })];
const ours = [mpi.commit(columns), mpi.commit(rows)];
const staging = [new Uint8Array(initial.byteLength), new Uint8Array(initial.byteLength)];

const EXCHANGES = {
  native(phases, matrix, into) {
    const [out, arriving] = types;
    phases.time("communicate", () =>
      world.alltoall(
        { buffer: matrix, datatype: out, count: world.size },
        { buffer: into, datatype: arriving, count: world.size },
      ),
    );
  },
  ours(phases, matrix, into) {
    const [out, arriving] = ours;
    const [packed, arrived] = staging;
    const elements = { count: world.size };
    phases.time("pack", () => out.committed.pack(matrix, packed, elements).wait());
    phases.time("communicate", () => world.alltoall(packed, arrived));
    phases.time("unpack", () => arriving.committed.unpack(arrived, into, elements).wait());
  },
};

const states = {};
for (const name of Object.keys(EXCHANGES)) {
  states[name] = { phases: new Phases(), matrix: initial.slice(), into: new Float64Array(initial.length) };
  iterate(name, states[name]); // compiles everything
  Object.assign(states[name], { phases: new Phases(), matrix: initial.slice() });
}
for (let i = 0; i < iterations; i++) {
  for (const name of i % 2 === 0 ? ["native", "ours"] : ["ours", "native"]) iterate(name, states[name]);
}

function iterate(name, state) {
  const { phases } = state;
  phases.time("compute", () => fft.transform(state.matrix, share));
  phases.time("wait", () => world.barrier());
  EXCHANGES[name](phases, state.matrix, state.into);
  phases.time("compute", () => fft.transform(state.into, share));
  [state.matrix, state.into] = [state.into, state.matrix];
}

const summaries = {};
for (const [name, { phases }] of Object.entries(states)) summaries[name] = phases.summary(world, iterations);
tell(world, `FFT2 ${edge} on ${world.size} ranks, ${mpi.mpi.name}, ${iterations} iterations`, summaries, json);
if (check) checkAgainstSerial();
for (const type of [...types, ...ours]) type[Symbol.dispose]();

function valueAt(i) {
  return ((i * 7919) % 1009) / 1009 - 0.5;
}

/** Transforms on one rank, without messages: the same operations in the same order, so that every bit must agree. */
function serial() {
  const whole = Float64Array.from({ length: 2 * edge * edge }, (_, i) => valueAt(i));
  let [matrix, turned] = [whole, new Float64Array(whole.length)];
  for (let i = 0; i < iterations; i++) {
    fft.transform(matrix, edge);
    for (let row = 0; row < edge; row++) {
      for (let at = 0; at < edge; at++) {
        turned[2 * (at * edge + row)] = matrix[2 * (row * edge + at)];
        turned[2 * (at * edge + row) + 1] = matrix[2 * (row * edge + at) + 1];
      }
    }
    fft.transform(turned, edge);
    [matrix, turned] = [turned, matrix];
  }
  return matrix;
}

function checkAgainstSerial() {
  const expected = world.rank === 0 ? serial() : undefined;
  for (const [name, { matrix }] of Object.entries(states)) {
    const all = world.rank === 0 ? new Float64Array(2 * edge * edge) : undefined;
    world.gather(matrix, all);
    if (world.rank !== 0) continue;
    const at = all.findIndex((value, i) => value !== expected[i]);
    if (at >= 0) throw new Error(`value ${at} by ${name}: expected ${expected[at]}, got ${all[at]}`);
    if (!json) console.log(`${name}: all ${all.length} values are the serial run's`);
  }
}
