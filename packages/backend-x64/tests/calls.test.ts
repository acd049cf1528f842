import {
  BindingError,
  conditions,
  DisposedError,
  hostMemory,
  packMove,
  type Binding,
  type Buffer,
} from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { setFlagsFromString } from "node:v8";
import { runInNewContext, runInThisContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { X64Backend } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";

/** Every second of 8 doubles. */
const EVEN = layout(0, stream(4, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 });
const BYTES = 64;

const VIEWS: Readonly<Record<string, () => ArrayBufferView | ArrayBufferLike>> = {
  "a typed array": () => new Float64Array(BYTES / 8),
  "a short typed array": () => new Uint8Array(BYTES),
  "a view with an offset": () => new Uint8Array(new ArrayBuffer(200), 37, BYTES),
  "a view of shared memory": () => new Uint32Array(new SharedArrayBuffer(200), 4, BYTES / 4),
  "a SharedArrayBuffer": () => new SharedArrayBuffer(BYTES),
  "a DataView": () => new DataView(new ArrayBuffer(200), 3, BYTES),
  "a Buffer of Node's pool": () => Buffer.from("x".repeat(BYTES)),
  "an ArrayBuffer": () => new ArrayBuffer(BYTES),
  "WebAssembly memory": () => new Uint8Array(wasmMemory().buffer, 1000, BYTES),
};

/** What the compiler's library does not know yet. */
function resizableBuffer(): ArrayBuffer & { resize(bytes: number): void } {
  return runInThisContext(`new ArrayBuffer(${BYTES}, { maxByteLength: 128 })`) as ReturnType<typeof resizableBuffer>;
}
function wasmMemory(): { readonly buffer: ArrayBuffer; grow(pages: number): void } {
  return runInThisContext("new WebAssembly.Memory({ initial: 1, maximum: 4 })") as ReturnType<typeof wasmMemory>;
}

const bytesOf = (view: ArrayBufferView | ArrayBufferLike): Uint8Array =>
  ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);

const whole = (source: Buffer, target: Buffer): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count: 1,
  first: 0,
  length: 32,
});

const collect = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

describe.runIf("machine" in probeMachine())("calls with other memory each time", () => {
  const backend = new X64Backend();
  const kernel = backend.load(backend.compile([packMove(EVEN)], conditions()));
  const call = (source: Buffer, target: Buffer) => kernel.call!([whole(source, target)]);
  afterAll(() => {
    kernel[Symbol.dispose]();
    backend[Symbol.dispose]();
  });

  /** Runs once by a call and once by a plan that is bound anew, and compares both with the type map. */
  function packs(source: Buffer, target: Buffer, plan = kernel.bind([whole(source, target)])): void {
    const run = [() => call(source, target), () => (plan.rebind(0, whole(source, target)), plan.run())];
    for (const each of run) {
      source.bytes!.forEach((_, i) => (source.bytes![i] = Math.floor(Math.random() * 256)));
      target.bytes!.fill(0);
      each();
      const want = [0, 16, 32, 48].flatMap((at) => [...source.bytes!.subarray(at, at + 8)]);
      expect([...target.bytes!.subarray(0, 32)]).toEqual(want);
      expect([...target.bytes!.subarray(32)].every((byte) => byte === 0)).toBe(true);
    }
  }

  it("takes every kind of view on each side, again and again", () => {
    const [first] = Object.values(VIEWS);
    const plan = kernel.bind([whole(hostMemory(first!()), hostMemory(first!()))]);
    for (let round = 0; round < 3; round++) {
      for (const source of Object.values(VIEWS))
        for (const target of Object.values(VIEWS)) packs(hostMemory(source()), hostMemory(target()), plan);
    }
  });

  it.each(Object.entries(VIEWS))("moves the bytes of %s themselves", (_, view) => {
    const [source, target] = [view(), view()];
    bytesOf(source).fill(7);
    bytesOf(target).fill(0);
    call(hostMemory(source), hostMemory(target));
    expect([...bytesOf(target)].filter((byte) => byte === 7).length).toBe(32);
  });

  it("refuses by the same words as bind, and writes nothing", () => {
    const [small, target] = [hostMemory(new Uint8Array(40)), hostMemory(new Uint8Array(64))];
    const refusal = (run: () => void): string => {
      try {
        run();
        return "none";
      } catch (error) {
        expect(error).toBeInstanceOf(BindingError);
        return (error as Error).message;
      }
    };
    const plan = kernel.bind([whole(target, hostMemory(new Uint8Array(64)))]);
    const wrong: readonly Binding[] = [
      whole(small, target),
      whole(target, hostMemory(new Uint8Array(31))),
      whole(target, target),
      { ...whole(target, hostMemory(new Uint8Array(64))), count: -1 },
      { ...whole(target, hostMemory(new Uint8Array(64))), first: 1 },
      { ...whole(target, hostMemory(new Uint8Array(64))), length: 33 },
      { ...whole(target, hostMemory(new Uint8Array(64))), source: { memory: target, originBytes: 0.5 } },
    ];
    for (const binding of wrong) {
      const message = refusal(() => kernel.bind([binding]));
      expect(message).toMatch(/^\w+ ?\w* of move 0: expected /);
      expect(refusal(() => kernel.call!([binding]))).toBe(message);
      expect(refusal(() => plan.rebind(0, binding))).toBe(message);
    }
    expect(target.bytes!.every((byte) => byte === 0)).toBe(true);
    expect(refusal(() => kernel.call!([]))).toBe("bindings: expected 1, one a move, got 0");
  });

  it("refuses memory that was detached, has shrunk or has grown elsewhere between two calls", () => {
    const target = hostMemory(new Uint8Array(64));
    const resizable = resizableBuffer();
    const wasm = wasmMemory();
    const buffers = [new ArrayBuffer(64), resizable, wasm.buffer];
    const memories = buffers.map((buffer) => hostMemory(new Uint8Array(buffer, 0, 64)));
    const plans = memories.map((memory) => kernel.bind([whole(memory, target)]));
    memories.forEach((memory) => call(memory, target));
    structuredClone(buffers[0], { transfer: [buffers[0]!] });
    resizable.resize(32);
    wasm.grow(1);
    for (const [i, memory] of memories.entries()) {
      expect(() => call(memory, target)).toThrow(
        "source of move 0: expected a view of 64 bytes, got 0: detached, or shrunk since",
      );
      expect(() => plans[i]!.run()).toThrow("memory of a plan: expected the 64 bytes it was bound to, got 0");
      expect(() => plans[i]!.rebind(0, whole(memory, target))).toThrow("detached, or shrunk since");
    }
    packs(hostMemory(new Uint8Array(wasm.buffer, 0, 64)), target);
  });

  it("refuses a detached buffer in code that V8 has optimised for fixed and resizable buffers", () => {
    const target = hostMemory(new Uint8Array(64));
    const memories = [...Array.from({ length: 20 }, () => new ArrayBuffer(64)), resizableBuffer()].map(hostMemory);
    const plans = memories.map((memory) => kernel.bind([whole(memory, target)]));
    for (let i = 0; i < 100_000; i++) plans[i % plans.length]!.run();
    const gone = memories[0]!.bytes!.buffer as ArrayBuffer;
    structuredClone(gone, { transfer: [gone] });
    expect(() => plans[0]!.run()).toThrow("memory of a plan: expected the 64 bytes it was bound to, got 0");
  });

  it("refuses bytes that two objects of one shared memory have in common", async () => {
    const shared = new SharedArrayBuffer(128);
    const { port1, port2 } = new MessageChannel();
    const again = await new Promise<SharedArrayBuffer>((resolve) => {
      port2.once("message", resolve);
      port1.postMessage(shared);
    });
    port1.close();
    expect(again).not.toBe(shared);
    const at = (buffer: SharedArrayBuffer, from: number) => hostMemory(new Uint8Array(buffer, from, 64));
    packs(at(shared, 0), at(again, 64));
    for (let round = 0; round < 2; round++)
      expect(() => call(at(shared, 0), at(again, 16))).toThrow(
        "target of move 0: expected bytes apart from the source's",
      );
  });

  it("keeps no memory that was called with, and no address of what was collected", () => {
    const target = hostMemory(new Uint8Array(64));
    const kept: WeakRef<ArrayBufferLike>[] = [];
    for (let round = 0; round < 200; round++) {
      const buffer = new ArrayBuffer(2 ** 16);
      packs(hostMemory(new Uint8Array(buffer, 512 + round, 64)), target);
      kept.push(new WeakRef(buffer));
      if (round % 20 === 19) collect();
    }
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      collect();
      // Plans keep what they are bound to: those that packs() made are garbage too.
      expect(kept.filter((each) => each.deref() !== undefined).length).toBeLessThan(3);
    });
  });

  it("binds by a record that is written again", () => {
    const [a, b, target] = [1, 2, 0].map((fill) => hostMemory(new Uint8Array(64).fill(fill)));
    const record = { ...whole(a!, target!) };
    const plan = kernel.bind([record]);
    record.source = { memory: b!, originBytes: 0 };
    plan.rebind(0, record);
    record.source = { memory: a!, originBytes: 0 };
    record.count = -1;
    plan.run();
    expect(target!.bytes![0]).toBe(2);
  });

  it("rebinds one of several moves, in place and through an address space", () => {
    using many = backend.load(backend.compile([packMove(EVEN), packMove(EVEN)], conditions()));
    const memory = (fill: number) => hostMemory(new Uint8Array(64).fill(fill));
    const targets = [memory(0), memory(0)];
    using plan = many.bind([whole(memory(1), targets[0]!), whole(memory(2), targets[1]!)]);
    const run = (): readonly (number | undefined)[] => (plan.run(), targets.map((each) => each.bytes![0]));
    expect(run()).toEqual([1, 2]);
    plan.rebind(1, whole(memory(3), targets[1]!));
    expect(run()).toEqual([1, 3]);
    plan.rebind(0, { ...whole(memory(9), targets[0]!), length: 0 });
    targets[0]!.bytes!.fill(8);
    expect(run()).toEqual([8, 3]);
    plan.rebind(1, whole(memory(4), targets[1]!));
    plan.rebind(0, whole(memory(5), targets[0]!));
    expect(run()).toEqual([5, 4]);
    expect(() => plan.rebind(2, whole(memory(5), targets[0]!))).toThrow("move to bind: expected one of 2, got move 2");
  });

  it("refuses once it is disposed of", () => {
    const other = backend.load(backend.compile([packMove(EVEN)], conditions()));
    const target = hostMemory(new Uint8Array(64));
    other[Symbol.dispose]();
    expect(() => other.call!([whole(hostMemory(new Uint8Array(64)), target)])).toThrow(DisposedError);
  });

  it("packs what several workers share", async () => {
    const workers = 3;
    const source = new SharedArrayBuffer(64 * workers);
    const target = new SharedArrayBuffer(32 * workers);
    new Uint8Array(source).forEach((_, i, bytes) => (bytes[i] = (i * 131) & 255));
    const module = new URL("../dist/index.js", import.meta.url).href;
    const script = `
      const { workerData, parentPort } = require("node:worker_threads");
      (async () => {
        const { X64Backend } = await import(${JSON.stringify(module)});
        const { conditions, hostMemory, packMove } = await import("@stowage/backend-api");
        const { dense, layout, stream } = await import("@stowage/ir");
        const EVEN = layout(0, stream(4, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 64 });
        const backend = new X64Backend();
        const kernel = backend.load(backend.compile([packMove(EVEN)], conditions()));
        const { source, target, index } = workerData;
        const span = (view) => ({ memory: hostMemory(view), originBytes: 0 });
        for (let round = 0; round < 1000; round++)
          kernel.call([{ source: span(new Uint8Array(source, 64 * index, 64)),
            target: span(new Uint8Array(target, 32 * index, 32)), count: 1, first: 0, length: 32 }]);
        parentPort.postMessage("done");
      })();`;
    await Promise.all(
      Array.from({ length: workers }, (_, index) => {
        const worker = new Worker(script, { eval: true, execArgv: [], workerData: { source, target, index } });
        return new Promise((resolve, reject) => worker.on("error", reject).on("exit", resolve));
      }),
    );
    const bytes = new Uint8Array(source);
    const want = Array.from({ length: 4 * workers }, (_, i) => [...bytes.subarray(16 * i, 16 * i + 8)]).flat();
    expect([...new Uint8Array(target)]).toEqual(want);
  });
});
