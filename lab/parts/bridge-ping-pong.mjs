// One end of a ping-pong from Node, on each of two ranks: mpirun -n 2 node bridge-ping-pong.mjs BYTES TURNS SAMPLES
import { summarise } from "@stowage/bench";
import { openMpi } from "@stowage/mpi-bridge";
import { thereAndBack, timedTogether } from "./ranks.mjs";

const [bytes, turns, samples] = process.argv.slice(2).map(Number);
const { world } = openMpi();
const other = 1 - world.rank;
const [out, into] = [new Uint8Array(bytes).fill(1), new Uint8Array(bytes).fill(2)];
const run = thereAndBack(
  world,
  () => world.send(out, other),
  () => world.recv(into, other),
);
const sample = () => timedTogether(world, run, { calls: turns, steps: 2 * turns });

/** So many turns come first: by then V8 has compiled what runs. */
const WARM_TURNS = 8000;
for (let i = 0; i < Math.max(2, Math.ceil(WARM_TURNS / turns)); i++) sample();
const times = Array.from({ length: samples }, sample);
if (into.some((byte) => byte !== 1)) throw new Error("ping-pong: expected the other rank's bytes, got others");
if (world.rank === 0) console.log(JSON.stringify(summarise(times)));
