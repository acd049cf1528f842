import { blocking, geometric, halfTrip, inTurns, nowNs, turnsOf, type Bench, type BridgeExperiment } from "./bench.js";

const MOST_BYTES = 1 << 20;
const WINDOW = 32;

/** Section 3.1. */
export const stack: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  if (comm.rank > 1) return;
  const trip = blocking(comm);
  for (const bytes of geometric(1, MOST_BYTES, quick ? 4 : 2)) {
    const [out, into] = [new Uint8Array(bytes), new Uint8Array(bytes)];
    const [latency, bandwidth] = inTurns(bench, [
      () => halfTrip(trip, out, into, 1 - comm.rank, turnsOf(bench, bytes)),
      () => window(bench, out, into),
    ]);
    point("latency", "bridge", bytes, latency as readonly number[]);
    point("bandwidth", "bridge", bytes, bandwidth as readonly number[]);
  }
};

/** Nanoseconds a message, of a window of them. */
function window({ comm, requests }: Bench, out: Uint8Array, into: Uint8Array): number {
  const start = nowNs();
  const window = Array.from({ length: WINDOW }, () =>
    comm.rank === 0 ? comm.isend(out, 1) : comm.irecv(into, 0, { tag: 0 }),
  );
  requests.waitAll(window);
  if (comm.rank === 0) comm.recv(into, 1, { tag: 1 });
  else comm.send(out.subarray(0, 0), 0, { tag: 1 });
  return (nowNs() - start) / WINDOW;
}
