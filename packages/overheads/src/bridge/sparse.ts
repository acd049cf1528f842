import { inTurns, nowNs, type BridgeExperiment } from "./bench.js";

const TURNS = { quick: 100, full: 400 };

/** Section 3.10: counts of all ranks, or of neighbours alone, whom a graph of the ranks names once. */
export const sparse: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  const [before, next] = [comm.size - 1, 1].map((step) => (comm.rank + step) % comm.size) as [number, number];
  const graph = comm.createDistGraph([before], [next]);
  const [out, into] = [new Uint8Array(8), new Uint8Array(8)];
  const [toAll, toOne] = [new Array<number>(comm.size).fill(0), [0]];
  const parts = (buffer: Uint8Array, counts: readonly number[]) => ({ buffer, datatype: "MPI_BYTE", counts }) as const;
  const turns = quick ? TURNS.quick : TURNS.full;
  const each = (exchange: () => void) => (): number => {
    comm.barrier();
    const start = nowNs();
    for (let i = 0; i < turns; i++) exchange();
    return (nowNs() - start) / turns;
  };
  const [dense, neighbours] = inTurns(bench, [
    each(() => comm.alltoallv(parts(out, toAll), parts(into, toAll))),
    each(() => graph.neighborAlltoallv(parts(out, toOne), parts(into, toOne))),
  ]);
  point("alltoallv", "bridge", comm.size, dense as readonly number[]);
  point("alltoallv", "bridge, neighbours", comm.size, neighbours as readonly number[]);
  graph.free();
};
