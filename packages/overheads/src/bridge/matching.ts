import { Mailbox, type PostedReceive, type Request } from "@stowage/mpi-bridge";
import { timesBehind } from "./behind.js";
import { geometric, type Bench, type BridgeExperiment } from "./bench.js";

const MOST_REQUESTS = { quick: 4096, full: 8192 };

/** Section 3.3: by MPI's own queue, and by a mailbox, which finds a receive by a hash. */
export const matching: BridgeExperiment = (bench) => {
  const { comm, quick } = bench;
  const mailbox = new Mailbox(comm);
  for (const each of geometric(1, quick ? MOST_REQUESTS.quick : MOST_REQUESTS.full, quick ? 8 : 2)) {
    byQueue(bench, "requests", 1, each);
    byHash(bench, mailbox, "requests", 1, each);
  }
  for (let peers = 1; peers < comm.size; peers++) {
    byQueue(bench, "peers", peers, 1);
    byHash(bench, mailbox, "peers", peers, 1);
  }
  mailbox.free();
};

type Panel = "requests" | "peers";

function byQueue(bench: Bench, panel: Panel, peers: number, each: number): void {
  const { comm, gate, point, requests } = bench;
  const word = new Int32Array(1);
  const posted = postAll(bench, peers, each, (into, peer) => comm.irecv(into, peer, { tag: 0 }));
  gate.barrier();
  let last: Request | undefined;
  const times = timesOf(bench, {
    isFirst: peers * each === 1,
    post: () => (last = comm.irecv(word, 1, { tag: 1 })),
    send: () => comm.send(word, 0, { tag: 1 }),
    receive: () => last?.wait(),
  });
  point(panel, "bridge", panel === "peers" ? peers : each, times);
  gate.barrier();
  sendAll(bench, peers, each, () => comm.send(word, 0, { tag: 0 }));
  requests.waitAll(posted);
  gate.barrier();
}

function byHash(bench: Bench, mailbox: Mailbox, panel: Panel, peers: number, each: number): void {
  const { gate, point } = bench;
  const word = new Int32Array(1);
  const posted = postAll(bench, peers, each, (into, peer) => mailbox.irecv(into, peer, 0));
  gate.barrier();
  let last: PostedReceive | undefined;
  const times = timesOf(bench, {
    isFirst: peers * each === 1,
    post: () => (last = mailbox.irecv(word, 1, 1)),
    send: () => mailbox.communicator.send(word, 0, { tag: 1 }),
    receive: () => last?.wait(),
  });
  point(panel, "bridge, hashed", panel === "peers" ? peers : each, times);
  gate.barrier();
  sendAll(bench, peers, each, () => mailbox.communicator.send(word, 0, { tag: 0 }));
  for (const receive of posted) receive.wait();
  gate.barrier();
}

const timesOf = (bench: Bench, behind: Parameters<typeof timesBehind>[1]): readonly number[] =>
  bench.comm.rank < 2 ? timesBehind(bench, behind) : [];

/** What rank 0 posts before. */
function postAll<T>({ comm }: Bench, peers: number, each: number, post: (into: Int32Array, peer: number) => T): T[] {
  if (comm.rank !== 0) return [];
  const into = new Int32Array(1);
  return Array.from({ length: peers * each }, (_, i) => post(into, 1 + (i % peers)));
}

function sendAll({ comm }: Bench, peers: number, each: number, send: () => void): void {
  if (comm.rank >= 1 && comm.rank <= peers) for (let i = 0; i < each; i++) send();
}
