import {
  blocking,
  geometric,
  halfTrip,
  inTurns,
  turnsOf,
  type Bench,
  type BridgeExperiment,
  type Trip,
} from "./bench.js";

const MOST_BYTES = 4096;

/** Section 3.2: requests of the bridge live in cells that are used again and again. */
export const requests: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  if (comm.rank > 1) return;
  const peer = 1 - comm.rank;
  for (const bytes of geometric(1, MOST_BYTES, quick ? 8 : 2)) {
    const [out, into] = [new Uint8Array(bytes), new Uint8Array(bytes)];
    const [sending, receiving] = [comm.sendInit(out, peer), comm.recvInit(into, peer)];
    const persistent: Trip = () => {
      for (let step = 0; step < 2; step++) {
        const request = step === comm.rank ? sending : receiving;
        request.start();
        request.wait();
      }
    };
    const trips = { blocking: blocking(comm), nonblocking: nonblocking(bench), persistent };
    const turns = turnsOf(bench, bytes);
    const times = inTurns(
      bench,
      Object.values(trips).map((trip) => () => halfTrip(trip, out, into, peer, turns)),
    );
    Object.keys(trips).forEach((name, i) => point("latency", `bridge, ${name}`, bytes, times[i] as readonly number[]));
    sending.free();
    receiving.free();
  }
};

const nonblocking =
  ({ comm }: Bench): Trip =>
  (out, into, peer) => {
    for (let step = 0; step < 2; step++) {
      const request = step === comm.rank ? comm.isend(out, peer) : comm.irecv(into, peer);
      request.wait();
    }
  };
