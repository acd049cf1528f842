// What the benches of routes share: a device, memory with known bytes, contenders that take turns, result files.
import { writeFileSync } from "node:fs";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { commitHash, scriptCommand } from "@stowage/bench";
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { X64Backend } from "@stowage/backend-x64";
import { Routes } from "@stowage/routes";

export const simulated = process.argv.includes("--simulated");
export const driver = simulated ? openSimulatedCuda({ backedBytes: 2 ** 29 }) : openCuda();
export const context = driver.context();
export const stream = context.stream();
export const packers = [
  new CudaStridedBackend(() => driver),
  new CudaGenericBackend({ driver }),
  new DmaBackend(() => driver),
];
export const routes = new Routes(packers, { driver: () => driver, hostPackers: [new X64Backend()] });
export const backends = new Map(
  [...packers, ...routes.backends, ...routes.bulk].map((backend) => [backend.name, backend]),
);

/** An idle GPU has clocked down, and its first calls are slow. */
export function warmUp() {
  if (simulated) return;
  const memory = context.deviceMemory(2 ** 26);
  const end = performance.now() + 500;
  while (performance.now() < end) {
    memory.fill(0, stream);
    stream.synchronize();
  }
  memory[Symbol.dispose]();
}

export const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];
export const now = () => Number(process.hrtime.bigint());

/** Words that differ from their neighbours and from those of other gigabytes. */
export function words(bytes, seed = 1) {
  const list = new Uint32Array(bytes / 4);
  for (let i = 0; i < list.length; i++) list[i] = Math.imul(i + seed, 2_654_435_761);
  return list;
}

export const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** To or from the device, over when it returns. */
export function upload(address, view) {
  copyBytes(context, address, context.libcuda.addressOf(view), view.byteLength).run(stream);
  stream.synchronize();
}

export function download(view, address) {
  copyBytes(context, context.libcuda.addressOf(view), address, view.byteLength).run(stream);
  stream.synchronize();
}

/** Where two lists of bytes differ first; throws with a name. */
export function requireSame(name, got, expected) {
  if (
    Buffer.compare(
      Buffer.from(got.buffer, got.byteOffset, got.byteLength),
      Buffer.from(expected.buffer, expected.byteOffset, expected.byteLength),
    ) === 0
  )
    return;
  const at = got.findIndex((byte, i) => byte !== expected[i]);
  throw new Error(`${name}: byte ${at}: expected ${expected[at]}, got ${got[at]}`);
}

/**
 * Median, least and largest time of each contender, in nanoseconds: turns in a rotating order, the first of each turn
 * left out. `budgetMs` a contender.
 */
export function measure(contenders, { budgetMs = 60, mostRuns = 200, perTurn = 4 } = {}) {
  const times = contenders.map(() => []);
  if (simulated) [budgetMs, mostRuns] = [0, 1];
  const spent = contenders.map(() => 0);
  for (let turn = 0; ; turn++) {
    let ran = false;
    for (let c = 0; c < contenders.length; c++) {
      const at = (c + turn) % contenders.length;
      if (times[at].length >= 3 && (spent[at] > budgetMs * 1e6 || times[at].length >= mostRuns)) continue;
      ran = true;
      for (let call = 0; call <= perTurn; call++) {
        const before = now();
        contenders[at].run();
        const took = now() - before;
        if (call > 0 || simulated) times[at].push(took);
        spent[at] += took;
        if (simulated || (took > 5e7 && call > 0)) break;
      }
    }
    if (!ran || (simulated && turn > 2)) break;
  }
  return contenders.map(({ name }, c) => ({
    contender: name,
    medianNs: median(times[c]),
    minNs: Math.min(...times[c]),
    maxNs: Math.max(...times[c]),
    runs: times[c].length,
  }));
}

/** Rows of one bench, written after each part, so that what is finished is kept. */
export class Results {
  rows = [];
  constructor(path) {
    this.path = path;
  }
  add(rows) {
    this.rows.push(...rows);
    const gpu = context.device.name;
    const machine = { cpu: "", cores: 0, gpu, driver: String(driver.version), node: process.version };
    const head = {
      schema: "stowage-results/1",
      command: scriptCommand(),
      date: new Date().toISOString(),
      commit: commitHash(),
      machine,
    };
    if (this.path !== undefined) writeFileSync(this.path, `${JSON.stringify({ ...head, rows: this.rows }, null, 1)}\n`);
  }
}

export const routeOf = (contender) => {
  const [first] = contender.split("/");
  return ["one-shot", "device", "staged", "pipelined", "bulk"].includes(first)
    ? first
    : contender.startsWith("dma") || contender.startsWith("cuMemcpy")
      ? "dma"
      : "one-shot";
};

export const us = (ns) => (ns / 1000).toFixed(1);
