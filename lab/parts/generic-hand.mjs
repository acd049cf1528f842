// Kernels written by hand for Jenkins' types (lab/c/generic-hand.cu), launched on cells of a device.
import { runs } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { packedOutput, prepare, withOutput } from "@stowage/bench/device";

const THREADS = 256;
const PARAMETER_BYTES = 48;

/** Each workload's kernel in generic-hand.cu, bytes an item, and the tables that it reads: places, starts of blocks. */
const KERNELS = {
  contiguous: { entry: "contiguous", itemBytes: 16 },
  "vector-8": { entry: "vector8", itemBytes: 8 },
  "vector-128": { entry: "vector128", itemBytes: 16 },
  "indexed-8": { entry: "indexed8", itemBytes: 8, tables: ["places"] },
  "subarray4d-32": { entry: "subarray4", itemBytes: 16 },
  "indexed-random": { entry: "random_blocks", itemBytes: 8, tables: ["starts", "places"] },
  struct24: { entry: "struct24", itemBytes: 1 },
  "specfem-oc": { entry: "floats", itemBytes: 4, tables: ["places"] },
};

/** The kernel written by hand for a workload, as a contender of its packing to the device; none where there is none. */
export function handContenders(gpu, input, cell, route, ptxPath) {
  const kernel = KERNELS[cell.workload];
  if (ptxPath === undefined || kernel === undefined || route !== "device" || cell.direction !== "pack") return [];
  const prepareHand = () =>
    withOutput(
      () => packedOutput(gpu, cell, "device"),
      (output) => prepareKernel(gpu, input, cell, readFileSync(ptxPath, "utf8"), kernel, output),
    );
  return [{ name: "hand", route, prepare: prepareHand }];
}

function prepareKernel(gpu, { layout, scattered }, cell, ptx, { entry, itemBytes, tables = [] }, output) {
  const items = cell.packedBytes / itemBytes;
  const lists = tablesOf(layout, cell, itemBytes, tables);
  const held = tables.map((name) => upload(gpu, lists[name]));
  const shape = { grid: { x: Math.ceil(items / THREADS) }, block: { x: THREADS } };
  const launch = gpu.context.module(ptx).kernel(entry).launch(PARAMETER_BYTES, shape);
  const values = [
    scattered.address + cell.originBytes,
    output.memory.address,
    held[0]?.address ?? 0,
    held[1]?.address ?? 0,
    items,
    lists.count,
  ];
  values.forEach((value, i) => launch.parameters.setBigUint64(8 * i, BigInt(value), true));
  const send = () => {
    launch.run(gpu.stream);
    return { wait: () => gpu.stream.synchronize() };
  };
  return prepare(gpu, {
    contender: "hand",
    output,
    send,
    [Symbol.dispose]: () => held.forEach((memory) => memory[Symbol.dispose]()),
  });
}

/** Where each block lies, and where it begins in the packed stream, in items. */
function tablesOf(layout, { count, packedBytes }, itemBytes, tables) {
  if (tables.length === 0) return { count: 0 };
  const places = [];
  const starts = [];
  let start = 0;
  for (const { offsetBytes, lengthBytes } of runs(layout, { count, first: 0, length: packedBytes })) {
    // Without a table of starts, every item has an entry of its own.
    const entries = tables.includes("starts") ? 1 : lengthBytes / itemBytes;
    for (let i = 0; i < entries; i++) places.push(offsetBytes / itemBytes + i);
    starts.push(start);
    start += lengthBytes / itemBytes;
  }
  return { places: Int32Array.from(places), starts: Int32Array.from(starts), count: starts.length };
}

function upload(gpu, table) {
  const memory = gpu.context.deviceMemory(table.byteLength);
  gpu.write(memory, new Uint8Array(table.buffer));
  return memory;
}
