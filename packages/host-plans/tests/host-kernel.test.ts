import {
  addressSpace,
  BindingError,
  conditions,
  DisposedError,
  hostMemory,
  packMove,
  type Binding,
  type Memory,
} from "@stowage/backend-api";
import { dense, layout, sequence } from "@stowage/ir";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { HostKernel, koffi, MoveCode, RECORD_NUMBERS, type Launcher } from "../src/index.js";

/** Two blocks of 100 bytes, 1,000 apart. */
const BLOCKS = [0, 1000].map((offsetBytes) => ({ offsetBytes, node: dense(100) }));
const APART = layout(0, sequence(BLOCKS), { lowerBoundBytes: 0, extentBytes: 2000 });
const [MOVE, RUN] = [1, 2];

/** Keeps what it is asked to call. */
class Recorder implements Launcher {
  readonly record = new Float64Array(RECORD_NUMBERS);
  readonly called: number[][] = [];
  readonly launch = (): void => void this.called.push([...this.record]);

  callAll(recordsAddress: number, count: number): void {
    const numbers = koffi().decode(BigInt(recordsAddress), "double", count * RECORD_NUMBERS) as Float64Array;
    for (let i = 0; i < count; i++) this.called.push([...numbers.slice(i * RECORD_NUMBERS, (i + 1) * RECORD_NUMBERS)]);
  }
}

describe("kernels of machine code", () => {
  const launcher = new Recorder();
  let users = 1;
  const kernel = new HostKernel({
    moves: [packMove(APART)],
    conditions: conditions(),
    codes: [{ move: new MoveCode(() => MOVE), run: new MoveCode(() => RUN) }],
    code: { hold: () => void users++, release: () => void users-- },
    launcher,
    explain: () => "two blocks",
  });
  beforeEach(() => void launcher.called.splice(0));
  afterAll(() => kernel[Symbol.dispose]());

  const bound = (source: Memory, target: Memory): Binding => ({
    source: { memory: source, originBytes: 0 },
    target: { memory: target, originBytes: 0 },
    count: 1,
    first: 0,
    length: 200,
  });
  const addressOf = (view: Uint8Array): number => Number(koffi().address(view));

  it("give code the addresses and the range, by a call, a plan and a plan that is bound anew", () => {
    const [source, other, target] = [new Uint8Array(2000), new Uint8Array(2100).subarray(64), new Uint8Array(200)];
    kernel.call([bound(hostMemory(source), hostMemory(target))]);
    using plan = kernel.bind([bound(hostMemory(source), hostMemory(target))]);
    plan.run();
    plan.rebind(0, bound(hostMemory(other), hostMemory(target)));
    plan.run();
    const expected = (view: Uint8Array): number[] => [MOVE, addressOf(view), addressOf(target), 1, 0, 200];
    expect(launcher.called).toEqual([expected(source), expected(source), expected(other)]);
  });

  it("run a block by itself where it is alone in a region, and the move's code where it reads no byte behind one", () => {
    const [first, second, target] = [new Uint8Array(100), new Uint8Array(400), new Uint8Array(300)];
    const space = addressSpace([
      { startBytes: 0, buffer: hostMemory(first) },
      { startBytes: 1000, buffer: hostMemory(second) },
    ]);
    kernel.call([bound(space, hostMemory(target))]);
    expect(launcher.called).toEqual([
      [RUN, addressOf(first), addressOf(target), 1, 0, 100],
      [MOVE, addressOf(second) - 1000, addressOf(target), 1, 100, 100],
    ]);
  });

  it("refuse memory that was detached since, and call nothing", () => {
    const source = new Uint8Array(2000);
    using plan = kernel.bind([bound(hostMemory(source), hostMemory(new Uint8Array(200)))]);
    structuredClone(source.buffer, { transfer: [source.buffer] });
    expect(() => plan.run()).toThrow(BindingError);
    expect(launcher.called).toEqual([]);
  });

  it("keep their code until the last plan has let go of it", () => {
    const plan = kernel.bind([bound(hostMemory(new Uint8Array(2000)), hostMemory(new Uint8Array(200)))]);
    expect(users).toBe(2);
    plan[Symbol.dispose]();
    plan[Symbol.dispose]();
    expect(users).toBe(1);
    expect(() => plan.run()).toThrow(DisposedError);
  });
});
