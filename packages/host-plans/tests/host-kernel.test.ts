import {
  addressSpace,
  BindingError,
  conditions,
  DisposedError,
  hostMemory,
  packMove,
  type Binding,
  type Conditions,
  type HostBuffer,
  type Memory,
} from "@stowage/backend-api";
import { dense, layout, sequence } from "@stowage/ir";
import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  HostKernel,
  koffi,
  type HeldCode,
  MAILBOX_RECORD,
  MoveCode,
  RECORD_NUMBERS,
  type Launcher,
} from "../src/index.js";

/** Two blocks of 100 bytes, 1,000 apart. */
const BLOCKS = [0, 1000].map((offsetBytes) => ({ offsetBytes, node: dense(100) }));
const APART = layout(0, sequence(BLOCKS), { lowerBoundBytes: 0, extentBytes: 2000 });
const [MOVE, RUN] = [1, 2];

/** Keeps what it is asked to call. */
class Recorder implements Launcher {
  readonly called: number[][] = [];
  readonly launch = (): void => void this.called.push([...MAILBOX_RECORD]);

  callAll(recordsAddress: number, count: number): void {
    const numbers = koffi().decode(BigInt(recordsAddress), "double", count * RECORD_NUMBERS) as Float64Array;
    for (let i = 0; i < count; i++) this.called.push([...numbers.slice(i * RECORD_NUMBERS, (i + 1) * RECORD_NUMBERS)]);
  }
}

const HELD: HeldCode = { hold: () => undefined, release: () => undefined };

const kernelOf = (launcher: Launcher, known: Partial<Conditions> = {}, moves = 1, code = HELD): HostKernel =>
  new HostKernel({
    moves: Array.from({ length: moves }, () => packMove(APART)),
    conditions: conditions(known),
    codes: Array.from({ length: moves }, () => ({ move: new MoveCode(() => MOVE), run: new MoveCode(() => RUN) })),
    code,
    launcher,
    explain: () => "two blocks",
  });

describe("kernels of machine code", () => {
  const launcher = new Recorder();
  let users = 1;
  const kernel = kernelOf(launcher, {}, 1, { hold: () => void users++, release: () => void users-- });
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

  it("call by memories and numbers what a plan of the same binding calls, and nothing that binding refuses", () => {
    const shared = new ArrayBuffer(4500);
    const views = [new Uint8Array(4100), new Uint8Array(450), new Float64Array(600), new DataView(shared, 0, 4100)];
    const memory = fc.constantFrom(...[...views, new Uint8Array(shared, 4100)].map(hostMemory));
    const origin = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(0, 8) },
      fc.constantFrom(-1, 0.5, NaN, 2 ** 53, Infinity),
    );
    const span = fc.record({ memory, originBytes: origin });
    const number = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(0, 1, 2, 100, 200, 400) },
      fc.constantFrom(-1, 0.5, NaN, 2 ** 53),
    );
    const moved = { yes: 0, no: 0 };
    fc.assert(
      fc.property(span, span, number, number, number, (source, target, count, first, length) => {
        launcher.called.splice(0);
        const [from, to] = [source.memory as HostBuffer, target.memory as HostBuffer];
        const { originBytes } = source;
        const moves = kernel.plainCall?.moves(from, originBytes, to, target.originBytes, count, first, length);
        moved[moves === true ? "yes" : "no"]++;
        expect(launcher.called).toHaveLength(moves === true ? 1 : 0);
        if (moves !== true) return;
        using plan = kernel.bind([{ source, target, count, first, length }]);
        plan.run();
        expect(launcher.called).toHaveLength(2);
        expect(launcher.called[0]).toEqual(launcher.called[1]);
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(moved.yes, moved.no)).toBeGreaterThan(20);
  });

  it("call nothing by memories and numbers that were detached, or once they are disposed of", () => {
    using other = kernelOf(launcher);
    const [source, target] = [hostMemory(new Uint8Array(2000)), hostMemory(new Uint8Array(200))] as HostBuffer[];
    const moves = () => other.plainCall?.moves(source as HostBuffer, 0, target as HostBuffer, 0, 1, 0, 200);
    expect(moves()).toBe(true);
    other[Symbol.dispose]();
    expect(moves()).toBe(false);
    using another = kernelOf(launcher);
    expect(another.plainCall?.moves(source as HostBuffer, 0, target as HostBuffer, 0, 1, 0, 200)).toBe(true);
    structuredClone(source?.store, { transfer: [source?.store as ArrayBuffer] });
    expect(another.plainCall?.moves(source as HostBuffer, 0, target as HostBuffer, 0, 1, 0, 200)).toBe(false);
    expect(launcher.called).toHaveLength(2);
  });

  it("have no short calls where alignment was promised, or memory of another kind, or of several moves", () => {
    expect(kernelOf(launcher, { sourceAlignment: 8 }).plainCall).toBe(undefined);
    expect(kernelOf(launcher, { targetKind: "pinned" }).plainCall).toBe(undefined);
    expect(kernelOf(launcher, {}, 2).plainCall).toBe(undefined);
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
