import type { Message } from "@stowage/mpi-bridge";
import { inTurns, nowNs, type BridgeExperiment } from "./bench.js";

const TURNS = { quick: 100, full: 400 };
/** Until what a collective runs through is compiled: compilers and collectors share the core of a rank that is bound to one. */
const WARM_UP_TURNS = 3000;

/** Section 3.10: counts of all ranks, or of neighbours alone, whom a graph of the ranks names once or each call names. */
export const sparse: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  const [before, next] = [comm.size - 1, 1].map((step) => (comm.rank + step) % comm.size) as [number, number];
  const graph = comm.createDistGraph([before], [next]);
  const [out, into, nothing] = [new Uint8Array(8), new Uint8Array(8), new Uint8Array(0)];
  const [toAll, toOne] = [new Array<number>(comm.size).fill(0), [0]];
  const parts = (buffer: Uint8Array, counts: readonly number[]) => ({ buffer, datatype: "MPI_BYTE", counts }) as const;
  const to = (...peers: readonly number[]) => new Map<number, Message>(peers.map((peer) => [peer, nothing]));
  const [nobody, toNext, fromBefore] = [to(), to(next), to(before)];
  const exchanges: Readonly<Record<string, () => void>> = {
    bridge: () => comm.alltoallv(parts(out, toAll), parts(into, toAll)),
    "bridge, no peers": () => comm.alltoallPeers(nobody, nobody),
    "bridge, neighbours": () => graph.neighborAlltoallv(parts(out, toOne), parts(into, toOne)),
    "bridge, peers": () => comm.alltoallPeers(toNext, fromBefore),
  };
  const each =
    (exchange: () => void, turns = quick ? TURNS.quick : TURNS.full) =>
    (): number => {
      comm.barrier();
      const start = nowNs();
      for (let i = 0; i < turns; i++) exchange();
      return (nowNs() - start) / turns;
    };
  for (const exchange of Object.values(exchanges)) each(exchange, WARM_UP_TURNS)();
  const times = inTurns(
    bench,
    Object.values(exchanges).map((exchange) => each(exchange)),
  );
  Object.keys(exchanges).forEach((series, i) => point("alltoallv", series, comm.size, times[i] as readonly number[]));
  graph.free();
};
