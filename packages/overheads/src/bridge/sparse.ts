import type { Message } from "@stowage/mpi-bridge";
import { inTurns, nowNs, type Bench, type BridgeExperiment } from "./bench.js";

const TURNS = { quick: 100, full: 400 };
/** Until what a collective runs through is compiled. */
const WARM_UP_TURNS = 20_000;
const BLOCK_TURNS = 50;
/** Ranks that share a core exchange by time slices: neither warming up nor a sample takes longer, nearly. */
const LIMIT_NS = { warmUp: 500e6, sample: 50e6 };

/**
 * Section 3.10: counts of all ranks, or of neighbours alone, whom a graph of the ranks names once or each call names.
 */
export const sparse: BridgeExperiment = (bench) => {
  const { comm } = bench;
  const [before, next] = [comm.size - 1, 1].map((step) => (comm.rank + step) % comm.size) as [number, number];
  const graph = comm.createDistGraph([before], [next]);
  const [out, into, nothing] = [new Uint8Array(8), new Uint8Array(8), new Uint8Array(0)];
  const [toAll, toOne] = [new Array<number>(comm.size).fill(0), [0]];
  const parts = (buffer: Uint8Array, counts: readonly number[]) => ({ buffer, datatype: "MPI_BYTE", counts }) as const;
  const to = (...peers: readonly number[]) => new Map<number, Message>(peers.map((peer) => [peer, nothing]));
  const [nobody, toNext, fromBefore] = [to(), to(next), to(before)];
  compare(bench, {
    bridge: () => comm.alltoallv(parts(out, toAll), parts(into, toAll)),
    "bridge, no peers": () => comm.alltoallPeers(nobody, nobody),
  });
  // These send messages of nothing.
  compare(bench, {
    "bridge, neighbours": () => graph.neighborAlltoallv(parts(out, toOne), parts(into, toOne)),
    "bridge, peers": () => comm.alltoallPeers(toNext, fromBefore),
  });
  graph.free();
  if (comm.size <= FOUR.length) return;
  const peers = fourOf(comm, to);
  ownTimes(bench, peers);
  compare(bench, { "bridge, peers": () => comm.alltoallPeers(peers, peers) }, "peers", FOUR.length);
};

/** A torus of two dimensions has so many neighbours; here they are the two ranks before and behind. */
const FOUR = [-2, -1, 1, 2];

function fourOf(comm: Bench["comm"], to: (...peers: number[]) => Map<number, Message>): Map<number, Message> {
  return to(...FOUR.map((step) => (comm.rank + comm.size + step) % comm.size));
}

/**
 * What an exchange takes of one rank that waits for nobody: to begin it, and to end it once a barrier says that all its
 * messages are there. A sample is the least of its turns: what interrupts a rank, or moves it, adds to some.
 */
function ownTimes(bench: Bench, peers: Map<number, Message>): void {
  const { comm, point } = bench;
  const turns = warmedUp(bench, () => void ownNs(comm, peers));
  const sample = (): number => Math.min(...Array.from({ length: turns }, () => ownNs(comm, peers)));
  const [times] = inTurns(bench, [sample]);
  point("peers", "bridge, peers, own time", FOUR.length, times as readonly number[]);
}

function ownNs(comm: Bench["comm"], peers: Map<number, Message>): number {
  const start = nowNs();
  const request = comm.ialltoallPeers(peers, peers);
  const begun = nowNs();
  comm.barrier();
  const there = nowNs();
  request.wait();
  return begun - start + (nowNs() - there);
}

function compare(
  bench: Bench,
  exchanges: Readonly<Record<string, () => void>>,
  panel = "alltoallv",
  x = bench.comm.size,
): void {
  const { comm, point } = bench;
  const samples = Object.values(exchanges).map((exchange) => {
    const turns = warmedUp(bench, exchange);
    return () => {
      comm.barrier();
      return meanNs(exchange, turns);
    };
  });
  const times = inTurns(bench, samples);
  Object.keys(exchanges).forEach((series, i) => point(panel, series, x, times[i] as readonly number[]));
}

/** Returns how many turns a sample has, the same on all ranks: the first decides. */
function warmedUp({ comm, quick }: Bench, exchange: () => void): number {
  const most = quick ? TURNS.quick : TURNS.full;
  const told = Int32Array.of(0);
  for (let [done, ns] = [0, 0]; told[0] === 0;) {
    ns += BLOCK_TURNS * meanNs(exchange, BLOCK_TURNS);
    done += BLOCK_TURNS;
    if (done >= WARM_UP_TURNS || ns > LIMIT_NS.warmUp)
      told[0] = Math.min(most, 1 + Math.floor((LIMIT_NS.sample * done) / ns));
    comm.bcast(told);
  }
  return told[0] as number;
}

function meanNs(exchange: () => void, turns: number): number {
  const start = nowNs();
  for (let i = 0; i < turns; i++) exchange();
  return (nowNs() - start) / turns;
}
