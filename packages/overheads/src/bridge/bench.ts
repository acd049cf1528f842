import type { Communicator, Many, Message, World } from "@stowage/mpi-bridge";
import type { ExperimentName } from "../experiment/experiment.js";
import type { Gate } from "./gate.js";

/** What an experiment in Node works with. */
export interface Bench {
  readonly world: World;
  readonly comm: Communicator;
  readonly requests: Many;
  readonly gate: Gate;
  readonly quick: boolean;
  readonly point: (panel: string, series: string, x: number, times: readonly number[]) => void;
}

/** One of the ten through the bridge. All ranks call it; ranks that have no part wait outside of MPI. */
export type BridgeExperiment = (bench: Bench) => void;

/** One line of JSON of rank 0, at once: what was measured outlives an interruption. */
export const pointOf =
  (experiment: ExperimentName, rank: number, write: (line: string) => void): Bench["point"] =>
  (panel, series, x, times) => {
    if (rank !== 0) return;
    const sorted = [...times].sort((a, b) => a - b);
    const [minNs, medianNs, maxNs] = [0, sorted.length >> 1, sorted.length - 1].map((i) => sorted[i] as number);
    write(JSON.stringify({ experiment, panel, series, x, medianNs, minNs, maxNs, samples: sorted.length }));
  };

export const nowNs = (): number => performance.now() * 1e6;

export const samplesOf = ({ quick }: Bench): number => (quick ? 7 : 21);
export const turnsOf = (bench: Bench, bytes: number): number =>
  (bytes > 262_144 ? 4 : bytes > 65_536 ? 20 : bytes > 4096 ? 100 : 400) / (bench.quick ? 2 : 1);

/** From the first on, each so many times the last. */
export function geometric(first: number, last: number, ratio: number): readonly number[] {
  return first > last ? [] : [first, ...geometric(first * ratio, last, ratio)];
}

export type Trip = (out: Message, into: Message, peer: number) => void;

/** A round trip by blocking calls, as c/ping-pong.h has it. */
export const blocking =
  (comm: Communicator): Trip =>
  (out, into, peer) => {
    if (comm.rank === 0) comm.send(out, peer);
    comm.recv(into, peer);
    if (comm.rank === 1) comm.send(out, peer);
  };

/** One sample: the mean half round trip of so many. */
export function halfTrip(trip: Trip, out: Message, into: Message, peer: number, turns: number): number {
  const start = nowNs();
  for (let i = 0; i < turns; i++) trip(out, into, peer);
  return (nowNs() - start) / turns / 2;
}

const WARM_UP_ROUNDS = 3;

/** Samples of several, in turns, so that a slow moment is everybody's. The first rounds are not counted. */
export function inTurns(bench: Bench, contenders: readonly (() => number)[]): readonly (readonly number[])[] {
  const times = contenders.map((): number[] => []);
  for (let i = -WARM_UP_ROUNDS; i < samplesOf(bench); i++) {
    contenders.forEach((sample, which) => {
      const time = sample();
      if (i >= 0) times[which]?.push(time);
    });
  }
  return times;
}
