// One end of a ping-pong from Node, both if it runs on two ranks: mpirun -n 2 node ping-pong-node.mjs BYTES TURNS
// SAMPLES
import { openMpi } from "@stowage/mpi-bridge";

const [bytes, turns, samples] = process.argv.slice(2).map(Number);
const { world } = openMpi();
const { rank } = world;
const [out, into] = [new Uint8Array(bytes).fill(1), new Uint8Array(bytes).fill(2)];

function pingPong() {
  for (let i = 0; i < turns; i++) {
    if (rank === 0) {
      world.send(out, 1);
      world.recv(into, 1);
    } else {
      world.recv(into, 0);
      world.send(out, 0);
    }
  }
}

/** So many turns come first: by then V8 has compiled what runs. */
const WARM_TURNS = 8000;
const times = [];
for (let sample = -Math.max(2, Math.ceil(WARM_TURNS / turns)); sample < samples; sample++) {
  world.barrier();
  const start = performance.now();
  pingPong();
  if (sample >= 0) times.push(((performance.now() - start) / turns / 2) * 1e6);
}
if (into.some((byte) => byte !== 1)) throw new Error("ping-pong: expected the other rank's bytes, got others");
times.sort((a, b) => a - b);
if (rank === 0) {
  console.log(JSON.stringify({ medianNs: times[samples >> 1], minNs: times[0], maxNs: times.at(-1) }));
}
