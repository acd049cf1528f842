// An exchange with at most 4 neighbours on a ring by alltoallPeers and by MPI_Alltoallw, which reads lists of all
// ranks, in turns:
// mpirun -n RANKS node packages/mpi-bridge/bench/peers.mjs
import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { world, mpi } = openMpi();
const { rank, size } = world;
const datatype = vector(8, 1, 2, predefined("MPI_DOUBLE"));
const [BYTES, SAMPLES, TURNS] = [8 * 16, 9, 50];
const peers = [...new Set([-2, -1, 1, 2].map((step) => (rank + step + 2 * size) % size))].filter(
  (peer) => peer !== rank,
);
const buffers = () =>
  new Map(peers.map((peer) => [peer, { buffer: new Float64Array(16).fill(rank), datatype, count: 1 }]));
const [out, into] = [buffers(), buffers()];
const typed = () => ({
  buffer: new Uint8Array(BYTES * size),
  datatypes: Array.from({ length: size }, () => datatype),
  counts: Array.from({ length: size }, (_, peer) => Number(peers.includes(peer))),
  displacementsBytes: Array.from({ length: size }, (_, peer) => BYTES * peer),
});
const [sent, received] = [typed(), typed()];
const contenders = {
  alltoallPeers: () => world.alltoallPeers(out, into),
  alltoallw: () => world.alltoallw(sent, received),
};
const times = new Map(Object.keys(contenders).map((name) => [name, []]));
for (let sample = -2; sample < SAMPLES; sample++) {
  for (const [name, exchange] of Object.entries(contenders)) {
    world.barrier();
    const start = performance.now();
    for (let turn = 0; turn < TURNS; turn++) exchange();
    if (sample >= 0) times.get(name).push(((performance.now() - start) / TURNS) * 1000);
  }
}
for (const [peer, { buffer }] of into) {
  if (buffer.some((value, i) => value !== (i % 2 === 0 ? peer : rank))) throw new Error(`bytes of rank ${peer}: wrong`);
}
const median = (list) => list.sort((a, b) => a - b)[SAMPLES >> 1].toFixed(1);
if (rank === 0)
  console.log(
    `${mpi.name}, ${size} ranks: ${[...times].map(([name, list]) => `${name} ${median(list)} us`).join(", ")}`,
  );
