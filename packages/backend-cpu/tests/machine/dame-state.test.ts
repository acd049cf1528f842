import { dense, integerTable, layout, stream, uniformBlocks, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { anyLayout } from "@stowage/arbitraries";
import { describe, expect, test } from "vitest";
import { compileDame, DameError, loadDame, pack, parseDame, startState, unpack } from "../../src/index.js";
import { expectBytes, memoryFor, plainPack, plainWalk } from "../plain-walk.js";

const load = (element: Layout) => loadDame(compileDame(element), element.extentBytes);

describe("a state resumes where it stopped, and starts anywhere", () => {
  test("fragments of any sizes make up the whole", () => {
    fc.assert(
      fc.property(
        anyLayout(),
        fc.integer({ min: 0, max: 3 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (element, count, sizes) => {
          const offsets = plainWalk(element, count);
          const { bytes, originBytes } = memoryFor(offsets);
          const state = startState(load(element), { count, originBytes });
          const packed: number[] = [];
          for (let i = 0; !state.done; i++) {
            const fragment = new Uint8Array(sizes[i % sizes.length] as number);
            packed.push(...fragment.subarray(0, pack(state, bytes, fragment)));
            expect(state.packedByte).toBe(packed.length);
          }
          expectBytes(Uint8Array.from(packed), plainPack(bytes, originBytes, offsets));
        },
      ),
    );
  });

  test("at every packed byte", () => {
    fc.assert(
      fc.property(anyLayout({ maxSizeBytes: 64 }), fc.integer({ min: 1, max: 3 }), (element, count) => {
        const offsets = plainWalk(element, count);
        const { bytes, originBytes } = memoryFor(offsets);
        const whole = plainPack(bytes, originBytes, offsets);
        for (let packedByte = 0; packedByte <= whole.length; packedByte++) {
          const state = startState(load(element), { count, originBytes, packedByte });
          const rest = new Uint8Array(whole.length - packedByte);
          expect(pack(state, bytes, rest)).toBe(rest.length);
          expectBytes(rest, whole.subarray(packedByte));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("unpack puts every byte back and touches no other", () => {
    fc.assert(
      fc.property(anyLayout({ disjoint: true }), fc.integer({ min: 0, max: 3 }), fc.nat(), (element, count, cut) => {
        const offsets = plainWalk(element, count);
        const { bytes, originBytes } = memoryFor(offsets);
        const packed = plainPack(bytes, originBytes, offsets);
        const target = new Uint8Array(bytes.length).fill(0xee);
        const state = startState(load(element), { count, originBytes });
        const at = cut % (packed.length + 1);
        unpack(state, packed.subarray(0, at), target);
        unpack(state, packed.subarray(at), target);
        const expected = new Uint8Array(bytes.length).fill(0xee);
        offsets.forEach((offset, i) => (expected[originBytes + offset] = packed[i] as number));
        expectBytes(target, expected);
      }),
    );
  });

  test("after the last byte nothing more comes", () => {
    const state = startState(load(layout(0, dense(4), { lowerBoundBytes: 0, extentBytes: 4 })));
    expect(pack(state, new Uint8Array(4), new Uint8Array(16))).toBe(4);
    expect(state.done).toBe(true);
    expect(state.trace()).toEqual([]);
    expect(pack(state, new Uint8Array(4), new Uint8Array(16))).toBe(0);
  });
});

describe("a start costs no walk", () => {
  test("byte 3 of element 10^9 of an index list of 10^5 entries", () => {
    const entries = 100_000;
    const root = uniformBlocks(
      integerTable(entries, (i) => ((i * 7919) % entries) * 16),
      stream(2, 8, dense(4)),
    );
    const loaded = load(layout(0, root, { lowerBoundBytes: 0, extentBytes: entries * 16 }));
    const packedByte = 1e9 * loaded.sizeBytes + 3;
    // Those that walked the list, or the elements before, would not end within the test's time.
    for (let i = 0; i < 50_000; i++) startState(loaded, { count: 1e9 + 1, packedByte });
    const state = startState(loaded, { count: 1e9 + 1, packedByte });
    expect(state.trace().at(-1)).toMatchObject({ iteration: 0, offsetBytes: 1e9 * entries * 16 });
    expect(state.usedBytes).toBe(3);
  });

  test("the last byte of 2^40", () => {
    const root = stream(2 ** 20, 2 ** 22, stream(2 ** 10, 2 ** 12, dense(2 ** 10)));
    const state = startState(load(layout(0, root, { lowerBoundBytes: 0, extentBytes: 2 ** 42 })), {
      packedByte: 2 ** 40 - 1,
    });
    expect(state.trace().map(({ iteration }) => iteration)).toEqual([0, 2 ** 20 - 1, 2 ** 10 - 1]);
    expect(state.usedBytes).toBe(2 ** 10 - 1);
  });
});

test("a trace names the open loops, outermost first", () => {
  const program = parseDame("EXIT BLOCKINDEX1(3,1,[0,4,8],16,40) VECTORFINAL(4,1,12,4,4) CONTIGFINAL(4) BOTTOM");
  const state = startState(loadDame(program, 48), { count: 2, packedByte: 48 + 22 });
  expect(state.trace()).toEqual([
    { primitive: -1, iteration: 1, count: 2, offsetBytes: 0 },
    { primitive: 1, iteration: 1, count: 3, offsetBytes: 48 },
    { primitive: 2, iteration: 1, count: 4, offsetBytes: 52 },
  ]);
});

describe("what cannot be is refused by name", () => {
  const loaded = load(layout(0, dense(4), { lowerBoundBytes: 0, extentBytes: 8 }));
  test.each([
    [{ count: -1 }, "count of elements: expected an integer from 0 to 9007199254740991, got -1"],
    [
      { count: 2 ** 52 },
      "size of the elements in bytes: expected an integer from 0 to 9007199254740991, got 18014398509481984",
    ],
    [{ count: 2, packedByte: 9 }, "packed byte to start at: expected an integer from 0 to 8, got 9"],
    [{ packedByte: 0.5 }, "packed byte to start at: expected an integer from 0 to 4, got 0.5"],
    [{ originBytes: NaN }, "origin in bytes: expected a safe integer, got NaN"],
  ])("%j", (options, message) => {
    expect(() => startState(loaded, options)).toThrow(
      new DameError(...(message.split(/: expected |, got /) as [string, string, string])),
    );
  });

  test("a run outside the memory", () => {
    const state = startState(loaded, { count: 2 });
    expect(() => pack(state, new Uint8Array(8), new Uint8Array(8))).toThrow(
      "source of a DAME program: expected every run within one buffer, got bytes 8 to 12",
    );
  });
});
