import { PROC_NULL } from "@stowage/mpi-bridge";
import {
  blocking,
  geometric,
  halfTrip,
  inTurns,
  nowNs,
  turnsOf,
  type Bench,
  type BridgeExperiment,
  type Trip,
} from "./bench.js";

const MOST_BYTES = 4096;
const MESSAGES = 10_000;

/** Section 3.9: the bridge's own checks, of every call, of none, and once for messages that are bound. */
export const checking: BridgeExperiment = (bench) => {
  const { comm, point, quick } = bench;
  if (comm.rank > 1) return;
  const peer = 1 - comm.rank;
  const trip = blocking(comm);
  for (const bytes of geometric(1, MOST_BYTES, quick ? 8 : 2)) {
    const [out, into] = [new Uint8Array(bytes), new Uint8Array(bytes)];
    const turns = turnsOf(bench, bytes);
    const [sending, receiving] = [comm.bindSend(out, peer), comm.bindRecv(into, peer)];
    const bound: Trip = () => {
      if (comm.rank === 0) sending.send();
      receiving.recv();
      if (comm.rank === 1) sending.send();
    };
    const times = inTurns(bench, [
      () => (check(bench, true), halfTrip(trip, out, into, peer, turns)),
      () => (check(bench, false), halfTrip(trip, out, into, peer, turns)),
      () => halfTrip(bound, out, into, peer, turns),
    ]);
    point("latency", "bridge, checked", bytes, times[0] as readonly number[]);
    point("latency", "bridge, unchecked", bytes, times[1] as readonly number[]);
    point("latency", "bridge, bound", bytes, times[2] as readonly number[]);
  }
  calls(bench);
};

function check({ comm }: Bench, checked: boolean): void {
  comm.settings = { checks: checked ? "arguments" : "none" };
}

/** A send to nobody: checks and what a call costs besides. */
function calls(bench: Bench): void {
  const { comm, point } = bench;
  const nothing = new Uint8Array(0);
  const bound = comm.bindSend(nothing, PROC_NULL);
  const send = (): void => comm.send(nothing, PROC_NULL);
  const times = inTurns(bench, [
    () => (check(bench, true), each(send)),
    () => (check(bench, false), each(send)),
    () => each(() => bound.send()),
  ]);
  ["bridge, checked", "bridge, unchecked", "bridge, bound"].forEach((series, i) =>
    point("call", series, 0, times[i] as readonly number[]),
  );
  check(bench, true);
}

function each(call: () => void): number {
  const start = nowNs();
  for (let i = 0; i < MESSAGES; i++) call();
  return (nowNs() - start) / MESSAGES;
}
