import { writeFileSync } from "node:fs";
import { heading, writeResults, type ResultRow } from "@stowage/bench";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { commandLine } from "../command-line.js";
import { print, printJson } from "../print.js";
import { renderSvg } from "../report/render-svg.js";
import { applicationOf, type Load } from "./application.js";
import { contendPlot, contendTable } from "./contend-text.js";
import { ordersOf, type Order } from "./orders.js";
import { Packings } from "./packing.js";

export interface ContendOptions {
  readonly contend: Load;
  readonly simulated?: boolean;
  readonly plot?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** The papers' vector, and vectors whose sum takes an H200 about as long as packing it to the host. */
const SIZES = {
  measured: { vector: 2 ** 24, add: 2 ** 29, turns: 25 },
  simulated: { vector: 2 ** 14, add: 2 ** 14, turns: 1 },
};

/** `stowage bench --contend`. */
export async function benchContention(options: ContendOptions): Promise<void> {
  const { contend, simulated = false, plot, out, json } = options;
  if (simulated && out !== undefined)
    throw new Error("--out: expected a device that takes time, got --simulated: its times mean nothing");
  const driver = simulated ? openSimulatedCuda() : openCuda();
  const sizes = simulated ? SIZES.simulated : SIZES.measured;
  using gpu = new Gpu(driver);
  using application = applicationOf(gpu.context, contend, sizes.vector, sizes.add);
  using packings = new Packings(driver, gpu.context, sizes.vector);
  gpu.warmUp();
  const orders = ordersOf(application, packings.all, sizes.turns);
  const title = `${sizes.vector} bytes in blocks of 64 to the host, beside ${application.text}`;
  const head = heading(commandLine(), gpu.machine);
  if (json === true) printJson({ ...head, load: contend, orders });
  else print(`${title}\n\n${contendTable(orders)}`);
  if (plot !== undefined) writeFileSync(plot, await renderSvg(contendPlot(orders, title)));
  if (out !== undefined)
    writeResults(
      out,
      head,
      orders.flatMap((order) => rowsOf(order, contend, sizes)),
      "--out",
    );
}

/** Each time of an order is a row of its own. */
function rowsOf(
  order: Order,
  load: Load,
  sizes: { readonly vector: number; readonly turns: number },
): readonly ResultRow[] {
  const { user, pack, total } = order;
  return Object.entries({ user, pack, total }).flatMap(([time, times]) =>
    times === undefined
      ? []
      : [
          {
            workload: `contend ${load}: ${order.order}, ${time}`,
            count: 1,
            packedBytes: sizes.vector,
            direction: "pack" as const,
            route: "one-shot" as const,
            contender: order.packing,
            ...times,
            runs: sizes.turns,
            verified: true as const,
            commitNs: 0,
          },
        ],
  );
}
