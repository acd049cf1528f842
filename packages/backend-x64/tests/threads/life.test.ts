import { conditions, DisposedError, hostMemory, packMove, type Binding } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { X64Backend } from "../../src/index.js";
import { probeMachine } from "../../src/memory/machine.js";

const HANG_MS = Number(process.env["STOWAGE_HANG_MS"]);
const root = stream(1000, 32, dense(16));
const type = layout(0, root, { lowerBoundBytes: 0, extentBytes: 32_000 });
const source = Uint8Array.from({ length: 32_000 }, (_, i) => (i * 131) & 255);
const target = new Uint8Array(16_000);
const whole: Binding = {
  source: { memory: hostMemory(source), originBytes: 0 },
  target: { memory: hostMemory(target), originBytes: 0 },
  count: 1,
  first: 0,
  length: 16_000,
};
const threadsNow = (): number => readdirSync("/proc/self/task").length;

const bound = (backend: X64Backend, threads: number, binding = whole) => {
  const kernel = backend.load(backend.compile([packMove(type)], conditions({ threads })));
  return { kernel, plan: kernel.bind([binding]) };
};

function expectMoved(): void {
  expect(target.every((byte, i) => byte === source[2 * i - (i % 16)])).toBe(true);
  target.fill(0);
}

describe.runIf("machine" in probeMachine())("native threads of a backend", () => {
  test("start with the first launch that is long enough, are shared by plans, and end with the backend", () => {
    const before = threadsNow();
    const backend = new X64Backend({ threadsFromBytes: 8000 });
    const { plan, kernel } = bound(backend, 3, { ...whole, length: 7999 });
    expect(threadsNow()).toBe(before);
    plan.rebind(0, whole);
    expect(threadsNow()).toBe(before + 2);
    const other = bound(backend, 3);
    expect(threadsNow()).toBe(before + 2);
    const [two, alone] = [bound(backend, 2), bound(backend, 1)];
    expect(threadsNow()).toBe(before + 3);
    for (const each of [plan, other.plan, two.plan, alone.plan]) {
      each.run();
      expectMoved();
      each[Symbol.dispose]();
    }
    for (const each of [kernel, other.kernel, two.kernel, alone.kernel]) each[Symbol.dispose]();
    expect(threadsNow()).toBe(before + 3);
    backend[Symbol.dispose]();
    expect(threadsNow()).toBe(before);
  });

  test("stay for plans that outlive the backend, and no others start", () => {
    const before = threadsNow();
    const backend = new X64Backend({ threadsFromBytes: 1 });
    const { plan, kernel } = bound(backend, 2);
    const short = kernel.bind([{ ...whole, length: 0 }]);
    backend[Symbol.dispose]();
    backend[Symbol.dispose]();
    plan.run();
    expectMoved();
    expect(() => short.rebind(0, whole)).toThrow(DisposedError);
    expect(threadsNow()).toBe(before + 1);
    plan[Symbol.dispose]();
    expect(threadsNow()).toBe(before);
  });

  test("Infinity starts none, and explain() says how many take part", () => {
    const before = threadsNow();
    const never = bound(new X64Backend({ threadsFromBytes: Infinity }), 2);
    never.plan.run();
    expectMoved();
    expect(threadsNow()).toBe(before);
    expect(never.kernel.explain()).toContain("; 1 thread: the caller's");
    const { kernel } = bound(new X64Backend({ threadsFromBytes: 1e6 }), 2);
    expect(kernel.explain()).toContain(
      "; 2 threads, the caller's among them, from 1000000 packed bytes a launch on; 1 below",
    );
  });

  test("counts that are none, or more than any machine has, are refused with the reason", () => {
    const ask = (threads: number) => new X64Backend().supports([packMove(type)], { ...conditions(), threads });
    expect(ask(1025)).toEqual({ ok: false, reason: "it runs on 1 to 1024 threads, not on 1025" });
    for (const threads of [0, 1.5, NaN])
      expect(() => ask(threads)).toThrow(`threads: expected a whole number of 1 or more, got ${threads}`);
  });

  test.each([
    ["returns", "return", 0],
    ["exits while they sleep", "7", 7],
  ])("backends in several threads of Node share nothing; the process %s and does not hang", (_, ending, code) => {
    const script = fileURLToPath(new URL("in-workers.mjs", import.meta.url));
    const ended = spawnSync(process.execPath, [script, "4", ending], { encoding: "utf8", timeout: HANG_MS });
    expect(ended.stderr).toBe("");
    expect([ended.status, ended.stdout]).toEqual([code, "disposed left exited terminated\n"]);
  });
});
