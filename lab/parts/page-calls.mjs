// What a call of a copy of pages costs its thread, and what of a short call its end is.
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { must } from "./cuda-peers.mjs";
import { checkPages, onDevice } from "./page-cells.mjs";
import { committedPages, pageEntrant, planned } from "./page-plans.mjs";

/** A run of pages that are bound, and binding other tables first, as programs call them; nothing waits. */
export function callContenders(cell) {
  const { gpu, from, to } = cell;
  const { engine, pages } = committedPages(cell, { tableMemory: "device" });
  const tables = [0, 1].map(() => ({ sourcePages: onDevice(gpu, from), targetPages: onDevice(gpu, to) }));
  const plan = pages.bind(tables[0]);
  let turns = 0;
  const alone = () => plan.run(gpu.stream);
  const rebound = () => (plan.rebind(tables[turns++ % 2]), plan.run(gpu.stream));
  const held = [engine, plan, ...tables.flatMap(Object.values)];
  return {
    "run alone": pageEntrant(cell, "run alone", alone, held),
    "other tables, then run": { run: rebound, check: () => checkPages(cell, "other tables", rebound) },
  };
}

/** The end is the completion that a run gives, or its stream: of ours, of its launch alone, and of a warp a page. */
export function endContenders(cell) {
  const { gpu, peers, memory, pools, count, bytes, fromTable, toTable } = cell;
  const { context, stream } = gpu;
  const { plan, held } = planned(cell, new CudaGenericBackend({ driver: gpu.driver }));
  const [source, target] = [memory.source.address + pools.source[0].originBytes, memory.target.address];
  const byHand = () => {
    const tables = [fromTable.address, toTable.address];
    must(peers.warp(source, tables[0], target, tables[1], count, bytes / count, stream.handle), "warp");
  };
  const event = context.event();
  const [launch] = plan.launches;
  const checked = (run) => ({ run, check: () => checkPages(cell, "a call by its end", run) });
  return {
    "run, wait": pageEntrant(cell, "run, wait", () => plan.run(stream).wait(), [...held, event]),
    "run, stream": checked(() => (plan.run(stream), stream.synchronize())),
    "launch, stream": checked(() => (launch.run(stream), stream.synchronize())),
    ...(peers === undefined
      ? {}
      : {
          "a warp a page, event": checked(() => (byHand(), event.record(stream), event.synchronize())),
          "a warp a page, stream": checked(() => (byHand(), stream.synchronize())),
        }),
  };
}
