import { conditions, type Binding, type Buffer } from "@stowage/backend-api";
import { print } from "@stowage/ptx";
import { describe, expect, test } from "vitest";
import { at, binding, expected, KINDS, pageMove, POOL_PAGES, Pools } from "./page-pools.js";

describe("pages of lengths that no word divides", () => {
  const SLOTS = 5;
  const from = [4, 0, 3, 1, 4, 2];
  const to = [1, 5, 0, 3, -1, 6];

  // The last slot's bytes end where the memory does; origins put both sides at any address.
  test.each([
    [131, 0, 0],
    [131, 5, 2],
    [17, 3, 3],
    [515, 1, 6],
    [1037, 7, 0],
    [4099, 0, 1],
    [5002, 2, 1],
    [15, 1, 0],
  ])("%i bytes, %i and %i bytes into their memory, copies words put together of two", (bytes, before, into) => {
    const pools = new Pools();
    const noise = Uint8Array.from({ length: before + SLOTS * bytes }, (_, i) => (i * 7 + (i >> 8) * 13 + 1) & 0xff);
    const [source, target] = [pools.filled(noise), pools.filled(new Uint8Array(into + 8 * bytes).fill(0xee))];
    const tables = { from, to, source: pools.table(from, "u32"), target: pools.table(to, "u32") };
    const bound = binding(bytes, source, target, tables);
    using backend = pools.backend;
    using kernel = backend.load(backend.compile([pageMove(bytes)], conditions(KINDS)));
    using plan = kernel.bind([{ ...bound, source: at(source, before), target: at(target, into) }]);
    plan.run().wait();
    const wanted = new Uint8Array(into + 8 * bytes).fill(0xee);
    to.forEach((page, k) => {
      const first = before + (from[k] as number) * bytes;
      if (page >= 0) wanted.set(noise.subarray(first, first + bytes), into + page * bytes);
    });
    expect(pools.device.read(target, 0, wanted.length)).toEqual(wanted);
    const text = pools.launched.map((each) => print(each, { arch: 90 })).join("");
    expect(/ld\.global\.(cs\.)?nc\.[bu]64/.test(text)).toBe(bytes >= 16);
  });

  test("lie beside pages of whole words in one launch; ranges that begin within a page move bytes", () => {
    const pools = new Pools();
    const lengths = [528, 131, 333];
    const tables = {
      from: [1, 7],
      to: [2, 0],
      source: pools.table([1, 7], "u32"),
      target: pools.table([2, 0], "u32"),
    };
    const bindings = lengths.map((bytes, i) =>
      binding(bytes, pools.pool(bytes, i), pools.filled(new Uint8Array(POOL_PAGES * bytes)), tables),
    );
    using backend = pools.backend;
    const moves = lengths.map((bytes) => pageMove(bytes));
    using kernel = backend.load(backend.compile(moves, conditions(KINDS)));
    using plan = kernel.bind(bindings);
    const read = (i: number): Uint8Array =>
      pools.device.read(bindings[i]?.target.memory as Buffer, 0, POOL_PAGES * (lengths[i] as number));
    plan.run().wait();
    lengths.forEach((bytes, i) => expect(read(i)).toEqual(expected(bytes, i, tables)));
    const [, second] = bindings as [Binding, Binding];
    pools.device.write(second.target.memory as Buffer, 0, new Uint8Array(POOL_PAGES * 131));
    plan.rebind(1, { ...second, first: 100, length: 131 });
    plan.run().wait();
    const whole = expected(131, 1, tables);
    const part = new Uint8Array(whole.length);
    part.set(whole.subarray(2 * 131 + 100, 3 * 131), 2 * 131 + 100);
    part.set(whole.subarray(0, 100), 0);
    expect(read(1)).toEqual(part);
  });
});
