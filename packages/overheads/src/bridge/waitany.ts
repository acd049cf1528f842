import { timesBehind } from "./behind.js";
import { geometric, type BridgeExperiment } from "./bench.js";

const MOST_REQUESTS = 4096;
/** A tag that nobody sends. */
const NOBODYS = { tag: MOST_REQUESTS };

/** Section 3.4: the bridge asks the first alone before it asks MPI about all. */
export const waitany: BridgeExperiment = (bench) => {
  const { comm, requests, point, quick } = bench;
  if (comm.rank > 1) return;
  const words = Array.from({ length: MOST_REQUESTS }, () => new Int32Array(1));
  const receive = (i: number) => comm.irecv(words[i] as Int32Array, 1, { tag: i });
  const send = (i: number) => comm.send(words[i] as Int32Array, 0, { tag: i });
  for (const count of geometric(1, MOST_REQUESTS, quick ? 8 : 2)) {
    const receives = comm.rank === 0 ? Array.from({ length: count }, (_, i) => receive(i)) : [];
    const times = timesBehind(bench, {
      isFirst: count === 1,
      post: () => {
        if (receives[0]?.isActive === false) receives[0] = receive(0);
      },
      send: () => send(0),
      settle: () => void comm.iprobe(1, NOBODYS), // matches the message: the first is over
      receive: () => requests.waitAny(receives),
    });
    point("requests", "bridge", count, times);
    for (let i = 1; i < count; i++) {
      if (comm.rank === 1) send(i);
      else receives[i]?.wait();
    }
  }
};
