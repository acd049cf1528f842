import { grouped } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { applicationOf, LOADS } from "../dist/contention/application.js";
import { ordersOf } from "../dist/contention/orders.js";
import { Packings } from "../dist/contention/packing.js";
import { onGpu, SIMULATED } from "../parts/device.mjs";

/** The papers' vector, and vectors whose sum takes an H200 about as long as packing it to the host. */
const SIZES = {
  measured: { vector: 2 ** 24, add: 2 ** 29, turns: 25 },
  simulated: { vector: 2 ** 14, add: 2 ** 14, turns: 1 },
};
const ORDERS = ["serialised", "user, then pack", "pack, then user"];

/** "contend sm: user, then pack, total" is a load, an order and a time. */
const partsOf = ({ workload, contender, medianNs }) => {
  const [, order, time] = /: (.*), (\w+)$/.exec(workload);
  return { order, packing: contender, time, us: medianNs / 1000 };
};

export default {
  name: "contention",
  question:
    "What do packing to the host and an application's work cost each other? (Cluster 2012, table 3; TPDS 2014, table 2)",
  kind: "moves",
  options: {
    ...SIMULATED,
    load: { kind: "text", of: LOADS, says: "a kernel on every SM, or a copy", byDefault: "sm" },
  },
  trial: { simulated: true, load: "h2d" },
  *cells(given, lab) {
    const { load, simulated } = given;
    const { vector, add, turns } = simulated ? SIZES.simulated : SIZES.measured;
    yield* onGpu(given, lab, function* (gpu) {
      const application = applicationOf(gpu.context, load, vector, add);
      const packings = new Packings(gpu.driver, gpu.context, vector);
      lab.remark(`${vector} bytes in blocks of 64 to the host, beside ${application.text}`);
      const label = { workload: `contend ${load}`, packedBytes: vector, direction: "pack", route: "one-shot" };
      for (const packing of packings.all) yield { label, packing, application, turns };
      for (const held of [packings, application]) held[Symbol.dispose]();
    });
  },
  contenders: ({ packing }) => ({
    [packing.name]: { run: () => packing.send().wait(), check: () => packing.verify() },
  }),
  run: (_, { packing, application, turns }) => ({ [packing.name]: ordersOf(application, packing, turns) }),
  /** Each time of an order is a row of its own. */
  rows: ({ label }, measured) =>
    Object.entries(measured).flatMap(([contender, orders]) =>
      orders.flatMap(({ order, user, pack, total }) =>
        Object.entries({ user, pack, total })
          .filter(([, times]) => times !== undefined)
          .map(([time, times]) => ({
            ...{ ...label, workload: `${label.workload}: ${order}, ${time}`, count: 1, contender, ...times },
            ...{ verified: true, commitNs: 0 },
          })),
      ),
    ),
  text: (rows) =>
    rowsTable(
      [...grouped(rows.map(partsOf), ({ order, packing }) => `${order} ${packing}`).values()].map((own) => ({
        order: own[0].order,
        "packed by": own[0].packing,
        ...Object.fromEntries(own.map(({ time, us }) => [`${time} us`, us.toFixed(1)])),
      })),
    ),
  plot: (rows) => ({
    contention: {
      title: "Packing to the host, and an application's work",
      data: { values: rows.map(partsOf) },
      facet: { field: "order", type: "nominal", title: null, sort: ORDERS },
      spec: {
        width: 260,
        height: { step: 14 },
        mark: "bar",
        encoding: {
          y: { field: "packing", type: "nominal", title: null, sort: null },
          yOffset: { field: "time", type: "nominal", sort: ["user", "pack", "total"] },
          x: { field: "us", type: "quantitative", title: "microseconds" },
          color: { field: "time", type: "nominal", sort: ["user", "pack", "total"], title: null },
        },
      },
    },
  }),
};
