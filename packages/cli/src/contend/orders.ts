import type { Application } from "./application.js";
import type { Packing } from "./packing.js";

/** Of the samples of one time, in nanoseconds. */
export interface Times {
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
}

/** One line of the papers' table; what an order does not time is absent. */
export interface Order {
  readonly order: "serialised" | "user, then pack" | "pack, then user";
  readonly packing: string;
  /** From sending the application's work to its end. */
  readonly user?: Times;
  /** From sending the pack to its end. */
  readonly pack?: Times;
  /** From sending the first to the end of both. */
  readonly total: Times;
}

const now = (): number => Number(process.hrtime.bigint());

function timesOf(samples: readonly number[]): Times {
  const sorted = samples.toSorted((a, b) => a - b);
  return { medianNs: sorted[samples.length >> 1] ?? 0, minNs: sorted[0] ?? 0, maxNs: sorted.at(-1) ?? 0 };
}

/** One after the other. */
const sumOf = (a: Times, b: Times): Times => ({
  medianNs: a.medianNs + b.medianNs,
  minNs: a.minNs + b.minNs,
  maxNs: a.maxNs + b.maxNs,
});

/** TPDS 2014, Table 2, and Cluster 2012, Table 3: each alone, then each behind the other. */
export function ordersOf(application: Application, packings: readonly Packing[], turns: number): readonly Order[] {
  return packings.flatMap((packing) => {
    packing.verify();
    const user = timed(turns, () => {
      application.send();
      application.stream.synchronize();
    });
    const pack = timed(turns, () => packing.send().wait());
    const alone: Order = { order: "serialised", packing: packing.name, user, pack, total: sumOf(user, pack) };
    const orders = [alone, userFirst(application, packing, turns), packFirst(application, packing, turns)];
    packing.verify();
    return orders;
  });
}

function timed(turns: number, run: () => void): Times {
  run();
  return timesOf(
    Array.from({ length: turns }, () => {
      const before = now();
      run();
      return now() - before;
    }),
  );
}

function userFirst(application: Application, packing: Packing, turns: number): Order {
  const samples = Array.from({ length: turns }, () => {
    const begun = now();
    application.send();
    const sent = now();
    packing.send().wait();
    const packNs = now() - sent;
    application.stream.synchronize();
    return { packNs, totalNs: now() - begun };
  });
  return {
    order: "user, then pack",
    packing: packing.name,
    pack: timesOf(samples.map(({ packNs }) => packNs)),
    total: timesOf(samples.map(({ totalNs }) => totalNs)),
  };
}

function packFirst(application: Application, packing: Packing, turns: number): Order {
  const samples = Array.from({ length: turns }, () => {
    const begun = now();
    const end = packing.send();
    const sent = now();
    application.send();
    application.stream.synchronize();
    const userNs = now() - sent;
    end.wait();
    return { userNs, totalNs: now() - begun };
  });
  return {
    order: "pack, then user",
    packing: packing.name,
    user: timesOf(samples.map(({ userNs }) => userNs)),
    total: timesOf(samples.map(({ totalNs }) => totalNs)),
  };
}
