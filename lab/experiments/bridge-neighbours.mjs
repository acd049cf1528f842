import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { inTurnsOnRanks, ranksOf, timedTogether } from "../parts/ranks.mjs";

const ELEMENT_BYTES = 8 * 16;
const datatype = vector(8, 1, 2, predefined("MPI_DOUBLE"));

export default {
  name: "bridge-neighbours",
  question: "What do exchanges with 4 neighbours on a ring cost by alltoallPeers, and by lists of all ranks?",
  kind: "times",
  ranks: 2,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 9 },
    turns: { kind: "number", says: "exchanges of a sample", byDefault: 50 },
  },
  trial: { samples: 1, turns: 2 },
  *cells() {
    const { mpi, world } = openMpi();
    yield { label: { ...ranksOf({ mpi, world }), workload: "4 neighbours on a ring", packedBytes: 64 }, world };
  },
  contenders({ world }) {
    const { rank, size } = world;
    const near = [-2, -1, 1, 2].map((step) => (rank + step + 2 * size) % size);
    const peers = [...new Set(near)].filter((peer) => peer !== rank);
    const elements = () => ({ buffer: new Float64Array(16).fill(rank), datatype, count: 1 });
    const [out, into] = [0, 1].map(() => new Map(peers.map((peer) => [peer, elements()])));
    const [sent, received] = [0, 1].map(() => ({
      buffer: new Float64Array(16 * size).fill(rank),
      datatypes: Array.from({ length: size }, () => datatype),
      counts: Array.from({ length: size }, (_, peer) => Number(peers.includes(peer))),
      displacementsBytes: Array.from({ length: size }, (_, peer) => ELEMENT_BYTES * peer),
    }));
    const checked = (who, run, bufferOf) => () => {
      for (const peer of peers) bufferOf(peer).fill(rank);
      run();
      for (const peer of peers)
        if (bufferOf(peer).some((value, i) => value !== (i % 2 === 0 ? peer : rank)))
          throw new Error(`${who}: expected the elements of rank ${peer}, got others`);
    };
    const alltoallPeers = () => world.alltoallPeers(out, into);
    const alltoallw = () => world.alltoallw(sent, received);
    const partOf = (peer) => received.buffer.subarray(16 * peer, 16 * (peer + 1));
    return {
      alltoallPeers: { run: alltoallPeers, check: checked("alltoallPeers", alltoallPeers, (p) => into.get(p).buffer) },
      alltoallw: { run: alltoallw, check: checked("alltoallw", alltoallw, partOf) },
    };
  },
  run: (entrants, { world }, { samples, turns: calls }) =>
    inTurnsOnRanks(entrants, { samples, warmUp: 2 }, ({ run }) => timedTogether(world, run, { calls })),
};
