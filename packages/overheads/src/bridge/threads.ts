import { PROC_NULL } from "@stowage/mpi-bridge";
import { nowNs, samplesOf, type BridgeExperiment } from "./bench.js";

const MOST_PROCESSES = 4;
const MESSAGES = { quick: 20_000, full: 100_000 };

/** Section 3.8: MPI is called from JavaScript's own thread only, so that processes are all there is. */
export const threads: BridgeExperiment = ({ comm, gate, point, ...bench }) => {
  const messages = bench.quick ? MESSAGES.quick : MESSAGES.full;
  const nothing = new Uint8Array(0);
  for (let processes = 1; processes <= Math.min(MOST_PROCESSES, comm.size); processes++) {
    const times: number[] = [];
    for (let i = -1; i < samplesOf({ comm, gate, point, ...bench }); i++) {
      gate.barrier();
      const start = nowNs();
      for (let k = 0; comm.rank < processes && k < messages; k++) comm.send(nothing, PROC_NULL);
      gate.barrier();
      if (i >= 0) times.push((nowNs() - start) / messages / processes);
    }
    point("message", "bridge, processes", processes, times);
  }
};
