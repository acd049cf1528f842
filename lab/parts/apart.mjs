// A structure whose runs lie each in an allocation of its own, as a program's arrays do, and who packs it to the host.
import { addressSpace, conditions, packMove } from "@stowage/backend-api";
import { cellsOf } from "@stowage/bench";
import { packedOutput } from "@stowage/bench/device";
import { copyBytes } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { routeOf } from "./device.mjs";

/** One cell, whose allocations last until the next is asked for. `label`: what else its rows say. */
export function* cellApart(gpu, workload, datatype, label = {}) {
  const [cell] = cellsOf(workload, datatype, 1);
  const layout = canonicalise(lower(datatype));
  const regions = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (startBytes, sizeBytes) => {
    const buffer = gpu.context.deviceMemory(sizeBytes);
    const at = cell.originBytes + startBytes;
    gpu.write(buffer, cell.scattered.subarray(at, at + sizeBytes));
    regions.push({ startBytes, buffer });
  });
  yield { label: { workload, packedBytes: cell.packedBytes, direction: "pack", ...label }, gpu, cell, layout, regions };
  for (const { buffer } of regions) buffer[Symbol.dispose]();
}

/** Plans of backends, and one copy a field, into one pinned buffer; `others` gives more by what writes that buffer. */
export function contendersApart({ gpu, cell, layout, regions }, backends, others = () => ({})) {
  const output = packedOutput(gpu, cell, "pinned");
  const whole = { count: 1, first: 0, length: layout.sizeBytes };
  const source = { memory: addressSpace(regions), originBytes: 0 };
  const target = { memory: output.memory, originBytes: 0 };
  const kinds = conditions({ sourceKind: "device", targetKind: "pinned" });
  const entrant = (name, run) => ({ run, facts: { route: routeOf(name) }, check: () => (run(), output.check(name)) });
  const ours = backends.map((backend) => {
    const plan = backend.load(backend.compile([packMove(layout)], kinds)).bind([{ source, target, ...whole }]);
    return [backend.name, entrant(backend.name, () => plan.run(gpu.stream).wait())];
  });
  let at = output.memory.address;
  const copies = regions.map(({ buffer }) => {
    at += buffer.sizeBytes;
    return copyBytes(gpu.context, at - buffer.sizeBytes, buffer.address, buffer.sizeBytes);
  });
  const each = () => (copies.forEach((copy) => copy.run(gpu.stream)), gpu.stream.synchronize());
  const more = Object.entries(others(output.memory)).map(([name, run]) => [name, entrant(name, run)]);
  const last = { ...entrant("dma", each), [Symbol.dispose]: () => output[Symbol.dispose]() };
  return { ...Object.fromEntries([...ours, ...more]), "one copy a field": last };
}
