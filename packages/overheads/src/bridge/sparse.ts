import { inTurns, nowNs, type BridgeExperiment } from "./bench.js";

const TURNS = { quick: 100, full: 400 };

/** Section 3.10. */
export const sparse: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  const none = {
    buffer: new Uint8Array(8),
    datatype: "MPI_BYTE",
    counts: new Array<number>(comm.size).fill(0),
  } as const;
  const turns = quick ? TURNS.quick : TURNS.full;
  const [times] = inTurns(bench, [
    () => {
      comm.barrier();
      const start = nowNs();
      for (let i = 0; i < turns; i++) comm.alltoallv(none, { ...none, buffer: new Uint8Array(8) });
      return (nowNs() - start) / turns;
    },
  ]);
  point("alltoallv", "bridge", comm.size, times as readonly number[]);
};
