import { conditions, hostMemory, packMove, type Binding, type Kernel } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { X64Backend } from "../../src/index.js";
import { probeMachine } from "../../src/memory/machine.js";

/** Mappings of memory for code, and how much of them takes memory. */
function codeMappings(): { readonly mappings: number; readonly residentBytes: number } {
  const entries = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ours = entries.filter((entry) => entry.includes("memfd:stowage-x64"));
  const kib = ours.map((entry) => Number(/^Rss:\s+(\d+) kB/m.exec(entry)?.[1] ?? 0));
  return { mappings: ours.length, residentBytes: 1024 * Math.max(0, ...kib) };
}

/** Code of some kilobytes that no other number has. */
const typeOf = (i: number) => layout(0, stream(7, 24 + i, dense(5)), { lowerBoundBytes: 0, extentBytes: 10_000 + i });

describe.runIf("machine" in probeMachine())("code", () => {
  const backend = new X64Backend();
  const loaded = (i: number): Kernel => backend.load(backend.compile([packMove(typeOf(i))], conditions()));
  const source = hostMemory(new Uint8Array(40_000).map((_, i) => (i * 131) & 255));
  const target = hostMemory(new Uint8Array(64));
  const binding: Binding = {
    source: { memory: source, originBytes: 0 },
    target: { memory: target, originBytes: 0 },
    count: 1,
    first: 0,
    length: 35,
  };
  const packs = (kernel: Kernel, i: number): void => {
    target.bytes!.fill(0);
    kernel.call!([binding]);
    const want = Array.from({ length: 35 }, (_, at) => source.bytes![Math.floor(at / 5) * (24 + i) + (at % 5)]);
    expect([...target.bytes!.subarray(0, 35)]).toEqual(want);
  };

  it("of hundreds of kernels lies in two mappings, and is freed with them", () => {
    loaded(0)[Symbol.dispose]();
    const before = codeMappings();
    const kernels = Array.from({ length: 400 }, (_, i) => loaded(i));
    const within = codeMappings();
    expect(within.mappings).toBe(before.mappings);
    expect(within.residentBytes).toBeGreaterThan(before.residentBytes);
    kernels.forEach(packs);
    // Every second one first, so that what is left must join.
    for (const [i, kernel] of kernels.entries()) if (i % 2 === 0) kernel[Symbol.dispose]();
    for (const [i, kernel] of kernels.entries()) if (i % 2 === 1) packs(kernel, i);
    for (const kernel of kernels) kernel[Symbol.dispose]();
    expect(codeMappings().residentBytes).toBeLessThanOrEqual(before.residentBytes + 128 * 1024);
    expect(codeMappings().mappings).toBe(before.mappings);
  });

  it("may be written by nobody while it may be run, nor between commits", () => {
    const protections = (): readonly string[] =>
      readFileSync("/proc/self/maps", "utf8")
        .split("\n")
        .filter((line) => line.includes("memfd:stowage-x64"))
        .map((line) => line.split(" ")[1] ?? "");
    const kernels = Array.from({ length: 40 }, (_, i) => loaded(i));
    expect(new Set(protections())).toEqual(new Set(["---s", "r-xs"]));
    kernels.forEach(packs);
    for (const kernel of kernels) kernel[Symbol.dispose]();
    expect(new Set(protections())).toEqual(new Set(["---s", "r-xs"]));
  });

  it("that comes and goes takes the place of what went before it", () => {
    loaded(0)[Symbol.dispose]();
    const before = codeMappings();
    for (let i = 0; i < 300; i++) {
      using kernel = loaded(i);
      packs(kernel, i);
    }
    expect(codeMappings()).toEqual(before);
  });

  it("stays as long as a plan of a disposed kernel may run it", () => {
    const kernel = loaded(3);
    const plan = kernel.bind([binding]);
    kernel[Symbol.dispose]();
    const others = Array.from({ length: 20 }, (_, i) => loaded(i));
    target.bytes!.fill(0);
    plan.run();
    expect([...target.bytes!.subarray(5, 10)]).toEqual([...source.bytes!.subarray(27, 32)]);
    plan[Symbol.dispose]();
    for (const other of others) other[Symbol.dispose]();
  });

  const workers = [
    ["returns", ""],
    ["exits", "process.exit(0);"],
    ["throws", 'throw new Error("as it should");'],
    ["is terminated", 'parentPort.postMessage("now"); for (;;) ;'],
    ["has used native threads", "await threads();"],
  ] as const;

  it.each(workers)("of a worker that %s is unmapped", async (_, ending) => {
    const module = new URL("../../dist/index.js", import.meta.url).href;
    const script = `
      const { parentPort } = require("node:worker_threads");
      (async () => {
        const { X64Backend } = await import(${JSON.stringify(module)});
        const { conditions, hostMemory, packMove } = await import("@stowage/backend-api");
        const { dense, layout, stream } = await import("@stowage/ir");
        const pack = (threads, count) => {
          using_(new X64Backend(), (backend) => {
            const type = layout(0, stream(4, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 });
            using_(backend.load(backend.compile([packMove(type)], conditions({ threads }))), (kernel) => {
              const span = (bytes) => ({ memory: hostMemory(new Uint8Array(bytes)), originBytes: 0 });
              kernel.call([{ source: span(64 * count), target: span(32 * count), count, first: 0, length: 32 * count }]);
            });
          });
        };
        const using_ = (resource, use) => { use(resource); resource[Symbol.dispose ?? Symbol.for("dispose")](); };
        const threads = async () => pack(2, 100_000);
        pack(1, 1);
        ${ending}
      })().catch((error) => setImmediate(() => { throw error; }));`;
    const run = (): Promise<void> =>
      new Promise((resolve) => {
        const worker = new Worker(script, { eval: true, execArgv: [] });
        worker.on("error", ({ message }) => expect(message).toBe("as it should"));
        worker.on("message", () => void worker.terminate());
        worker.on("exit", () => resolve());
      });
    await run();
    const before = codeMappings().mappings;
    for (let i = 0; i < 4; i++) await run();
    expect(codeMappings().mappings).toBe(before);
  });
});
