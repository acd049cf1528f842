import { ANY_SOURCE, Mailbox, type Communicator } from "@stowage/mpi-bridge";
import { timesBehind } from "./behind.js";
import { geometric, type Bench, type BridgeExperiment } from "./bench.js";
import { pauseAt } from "./gate.js";

const MOST_MESSAGES = { quick: 4096, full: 8192 };
const QUEUED = 2;
/** A tag that nobody sends: whoever asks for it moves MPI on and matches nothing. */
const NOBODYS = { tag: 3 };

/** Section 3.7: by MPI's own queue, and by a mailbox, which finds a message that waits by a hash. */
export const unexpected: BridgeExperiment = (bench) => {
  const { comm, quick } = bench;
  const mailbox = new Mailbox(comm);
  for (const each of geometric(1, quick ? MOST_MESSAGES.quick : MOST_MESSAGES.full, quick ? 8 : 2)) {
    byQueue(bench, "messages", 1, each);
    byHash(bench, mailbox, "messages", 1, each);
  }
  for (let peers = 1; peers < comm.size; peers++) {
    byQueue(bench, "peers", peers, 1);
    byHash(bench, mailbox, "peers", peers, 1);
  }
  mailbox.free();
};

type Panel = "messages" | "peers";

function byQueue(bench: Bench, panel: Panel, peers: number, each: number): void {
  const { comm } = bench;
  const look = (): unknown => comm.iprobe(ANY_SOURCE, NOBODYS);
  const take = (source: number, tag: number, into: Int32Array): unknown => comm.recv(into, source, { tag });
  measure(bench, comm, look, take, panel, "bridge", peers, each);
}

function byHash(bench: Bench, mailbox: Mailbox, panel: Panel, peers: number, each: number): void {
  const take = (source: number, tag: number, into: Int32Array): unknown => mailbox.recv(into, source, tag);
  measure(bench, mailbox.communicator, () => mailbox.advance(), take, panel, "bridge, hashed", peers, each);
}

let expected = 0;

/** `look` takes what has arrived out of the transport; `take` receives. */
function measure(
  bench: Bench,
  comm: Communicator,
  look: () => unknown,
  take: (source: number, tag: number, into: Int32Array) => unknown,
  panel: Panel,
  series: string,
  peers: number,
  each: number,
): void {
  const { gate, point } = bench;
  const word = new Int32Array(1);
  const isPeer = comm.rank >= 1 && comm.rank <= peers;
  for (let i = 0; isPeer && i < each; i++) comm.send(word, 0, { tag: 0 });
  if (isPeer) gate.add(QUEUED);
  expected += peers;
  for (let turn = 0; comm.rank === 0 && gate.get(QUEUED) < expected; turn++) {
    look();
    pauseAt(turn);
  }
  gate.barrier();
  const send = (): void => comm.send(word, 0, { tag: 1 });
  const behind = { isFirst: peers * each === 1, send, settle: look, receive: () => take(1, 1, word) };
  const times = comm.rank > 1 ? [] : timesBehind(bench, behind);
  point(panel, series, panel === "peers" ? peers : each, times);
  for (let i = 0; comm.rank === 0 && i < peers * each; i++) take(1 + (i % peers), 0, word);
  gate.barrier();
}
