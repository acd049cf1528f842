// What experiments on ranks of an MPI share: samples that all ranks take together, and whose time they are.
import { summarise, turnsOf } from "@stowage/bench";

/** What rows say of the ranks. */
export const ranksOf = ({ mpi, world }) => ({ mpi: mpi.name, ranks: world.size });

/** Nanoseconds of one of `steps`, which are all calls together, from when the last rank has come. */
export function timedTogether(comm, run, { calls = 1, steps = calls } = {}) {
  comm.barrier();
  const start = performance.now();
  for (let i = 0; i < calls; i++) run();
  return ((performance.now() - start) / steps) * 1e6;
}

/** How many calls take about so many nanoseconds: the first rank's answer, on every rank. */
export function agreedCalls(comm, ns, callNs) {
  const calls = Int32Array.of(Math.max(1, Math.round(ns / callNs)));
  comm.bcast(calls, 0);
  return calls[0];
}

/** Of every sample, the slowest rank's. */
export function slowest(comm, samples) {
  const all = new Float64Array(samples.length);
  comm.allreduce(Float64Array.from(samples), all, { op: "max" });
  return [...all];
}

/**
 * Checks all entrants, takes samples of them in turns, equally many on every rank, and checks them again. `sampled`
 * gives the nanoseconds of an entrant's turn, one sample or several; `of` what is made of all samples of one.
 */
export function inTurnsOnRanks(entrants, { samples, warmUp = 0 }, sampled, of = (ns) => ns) {
  const all = Object.entries(entrants);
  const taken = all.map(() => []);
  for (const [, { check }] of all) check();
  for (let round = 0; round < warmUp + samples; round++)
    for (const i of turnsOf(all.length, round)) {
      const ns = sampled(all[i][1]);
      if (round >= warmUp) taken[i].push(ns);
    }
  for (const [, { check }] of all) check();
  return Object.fromEntries(all.map(([name], i) => [name, { ...summarise(of(taken[i].flat())), verified: true }]));
}

/** A message to the other rank, and back from there. */
export function thereAndBack({ rank }, send, receive) {
  return () => {
    if (rank === 0) send();
    receive();
    if (rank !== 0) send();
  };
}
