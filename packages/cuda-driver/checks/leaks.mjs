// 100,000 launches, copies, events and modules: what the device and Node's heap hold before and after.
// Exits with 1 where device memory shrank, or the heap grew by more than 4 MiB.
import { copyBytes, Module, openCuda } from "@stowage/cuda-driver";
import { buildKernel, print } from "@stowage/ptx";

const nothing = buildKernel("nothing", { parameters: { unused: "u64" } }, () => undefined);
const TIMES = Number(process.argv[2] ?? 100_000);
const context = openCuda().context();
const stream = context.stream();
const text = print(nothing, { arch: context.device.architecture });
const [a, b] = [context.deviceMemory(4096), context.deviceMemory(4096)];
const launch = context.kernel(nothing).launch(8, { grid: { x: 1 }, block: { x: 32 } });

const work = {
  launches: () => launch.run(stream),
  copies: () => copyBytes(context, b.address, a.address, 4096).run(stream),
  events: () => {
    const event = context.event();
    event.record(stream);
    event[Symbol.dispose]();
  },
  allocations: () => context.deviceMemory(4096)[Symbol.dispose](),
  modules: () => {
    const module = new Module(context, text);
    module.kernel("nothing");
    module[Symbol.dispose]();
  },
};

function held() {
  stream.synchronize();
  globalThis.gc?.();
  return { freeBytes: context.memoryInfo().freeBytes, heapBytes: process.memoryUsage().heapUsed };
}

let leaked = false;
for (const [name, run] of Object.entries(work)) {
  for (let i = 0; i < 2000; i++) run();
  const before = held();
  const start = performance.now();
  for (let i = 0; i < TIMES; i++) {
    run();
    if (i % 1000 === 999) stream.synchronize();
  }
  const milliseconds = performance.now() - start;
  const after = held();
  const deviceBytes = before.freeBytes - after.freeBytes;
  const heapBytes = after.heapBytes - before.heapBytes;
  leaked ||= deviceBytes > 0 || heapBytes > 4 * 2 ** 20;
  console.log(JSON.stringify({ name, times: TIMES, deviceBytes, heapBytes, nsEach: (milliseconds * 1e6) / TIMES }));
}
process.exit(leaked ? 1 : 0);
