import { summarise, type Times } from "@stowage/bench";
import type { Application } from "./application.js";
import type { Packing } from "./packing.js";

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

/** One after the other. */
const sumOf = (a: Times, b: Times): Times => ({
  medianNs: a.medianNs + b.medianNs,
  minNs: a.minNs + b.minNs,
  maxNs: a.maxNs + b.maxNs,
  runs: Math.min(a.runs, b.runs),
});

/** TPDS 2014, Table 2, and Cluster 2012, Table 3: each alone, then each behind the other. */
export function ordersOf(application: Application, packing: Packing, turns: number): readonly Order[] {
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
}

function timed(turns: number, run: () => void): Times {
  run();
  return summarise(
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
    pack: summarise(samples.map(({ packNs }) => packNs)),
    total: summarise(samples.map(({ totalNs }) => totalNs)),
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
    user: summarise(samples.map(({ userNs }) => userNs)),
    total: summarise(samples.map(({ totalNs }) => totalNs)),
  };
}
