import { dense, layout, sequence, stream, type Layout, type LayoutNode } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressSpace, BindingError, checkBinding, checkBindings, conditions, copyMove } from "../../src/index.js";
import {
  hostMemory,
  packMove,
  unpackMove,
  type Binding,
  type Buffer,
  type Memory,
  type Span,
} from "../../src/index.js";
import { anyBound, enumeratedReach } from "./any-bound.js";

const ANY = conditions();
const buffer = (sizeBytes: number): Buffer => hostMemory(new Uint8Array(sizeBytes));
const at = (memory: Memory, originBytes = 0): Span => ({ memory, originBytes });
const element = (root: LayoutNode = stream(4, 16, dense(8)), extentBytes = 64): Layout =>
  layout(0, root, { lowerBoundBytes: 0, extentBytes });
const binding = (over: Partial<Binding> = {}): Binding => ({
  source: at(buffer(1024)),
  target: at(buffer(1024)),
  count: 2,
  first: 0,
  length: 64,
  ...over,
});
const check = (over: Partial<Binding>, known = ANY): void =>
  checkBindings([packMove(element())], [binding(over)], known);

/** Bytes that only the arithmetic sees: a buffer too large to exist here. */
const addressed = (sizeBytes: number, kind: Buffer["kind"] = "host"): Buffer => ({ kind, sizeBytes, address: 4096 });

describe("checkBindings, of one buffer", () => {
  it("accepts exactly the memory that holds the reach of the elements the range touches", () => {
    fc.assert(
      fc.property(anyBound(), fc.constantFrom("low", "high", "fits"), ({ layout, ...range }, fault) => {
        fc.pre(range.length > 0);
        const [low, high] = enumeratedReach({ layout, ...range });
        const originBytes = -low - (fault === "low" ? 1 : 0);
        const memory = addressed(high - low - (fault === "high" ? 1 : 0));
        const bindings = [
          { source: at(memory, originBytes), target: at({ ...addressed(2 ** 50), address: 2 ** 51 }), ...range },
        ];
        const checked = (): void => checkBindings([packMove(layout)], bindings, ANY);
        if (fault === "fits") checked();
        else expect(checked).toThrow(/^source of move 0: expected bytes within \[0, /);
      }),
      { numRuns: 2000 },
    );
  });

  it("asks the packed side for the bytes of the range alone, wherever byte 0 would lie", () => {
    checkBindings([packMove(element())], [binding({ target: at(buffer(24), -40), first: 40, length: 24 })], ANY);
    const short = binding({ target: at(buffer(23), -40), first: 40, length: 24 });
    const message = "target of move 0: expected bytes within [0, 23), got [0, 24)";
    expect(() => checkBindings([packMove(element())], [short], ANY)).toThrow(message);
    expect(() => checkBindings([unpackMove(element())], [binding({ source: at(buffer(63)) })], ANY)).toThrow(
      "source of move 0: expected bytes within [0, 63), got [0, 64)",
    );
  });

  it("asks nothing of memory for a range of no bytes", () => {
    const gone = { ...buffer(0), sizeBytes: 8 };
    check({ source: at(buffer(0), -1e9), target: at(gone), first: 64, length: 0 });
    check({ source: at(addressSpace([])), count: 0, length: 0 });
  });

  it("follows negative extents and lower bounds below address 0", () => {
    const backwards = layout(-8, stream(2, -16, dense(8)), { lowerBoundBytes: -24, extentBytes: -64 });
    const far = { ...binding({ count: 3, first: 20, length: 17 }), source: at(buffer(1000), 152) };
    checkBindings([packMove(backwards)], [far], ANY);
    const low = { ...far, source: at(buffer(1000), 151) };
    expect(() => checkBindings([packMove(backwards)], [low], ANY)).toThrow("got [-1, 87)");
  });

  it("refuses a view whose buffer has been detached or has shrunk", () => {
    const bytes = new ArrayBuffer(1024);
    const memory = hostMemory(bytes);
    structuredClone(bytes, { transfer: [bytes] });
    expect(() => check({ target: at(memory) })).toThrow(
      "target of move 0: expected a view of 1024 bytes, got 0: detached, or shrunk since",
    );
  });

  it("refuses views of no bytes and null pointers", () => {
    expect(() => check({ source: at(buffer(0)) })).toThrow(
      "source of move 0: expected bytes within [0, 0), got [0, 120)",
    );
    const onDevice = conditions({ sourceKind: "device" });
    const device = (address?: number): Span =>
      at({ kind: "device", sizeBytes: 1024, ...(address === undefined ? {} : { address }) });
    check({ source: device(512) }, onDevice);
    expect(() => check({ source: device() }, onDevice)).toThrow(
      "source of move 0: expected the address of device memory, got none",
    );
    expect(() => check({ source: device(0) }, onDevice)).toThrow("expected an address above 0, got 0");
    expect(() => check({ source: device(NaN) }, onDevice)).toThrow("expected an address above 0, got NaN");
    expect(() => check({ source: at({ kind: "host", sizeBytes: 1024 }) })).toThrow("expected bytes or an address");
  });
});

describe("checkBindings, of numbers", () => {
  it.each<[string, Partial<Binding>]>([
    ["count of move 0: expected an integer from 0 to 2^53 - 1, got -1", { count: -1 }],
    ["count of move 0: expected an integer from 0 to 2^53 - 1, got 0.5", { count: 0.5 }],
    ["count of move 0: expected an integer from 0 to 2^53 - 1, got 9007199254740992", { count: 2 ** 53 }],
    ["first byte of move 0: expected an integer from 0 to 2^53 - 1, got -1", { first: -1 }],
    ["first byte of move 0: expected an integer from 0 to 2^53 - 1, got NaN", { first: NaN }],
    ["length of move 0: expected an integer from 0 to 2^53 - 1, got -1", { length: -1 }],
    ["length of move 0: expected an integer from 0 to 2^53 - 1, got Infinity", { length: Infinity }],
    ["range of move 0: expected an end within 2 x 32 bytes, got 65", { length: 65 }],
    ["range of move 0: expected an end within 2 x 32 bytes, got 65", { first: 1 }],
    ["source of move 0: expected an origin that is a safe integer, got 0.5", { source: at(buffer(1024), 0.5) }],
    [
      "source of move 0: expected bytes within [0, 1024), got [-1, 119), with the datatype's address 0 at originBytes -1",
      { source: at(buffer(1024), -1) },
    ],
    ["target of move 0: expected bytes within [0, 63), got [0, 64)", { target: at(buffer(63)) }],
  ])("refuses: %s", (message, wrong) => {
    expect(() => check(wrong)).toThrow(message);
    expect(() => check(wrong)).toThrow(BindingError);
  });

  it("refuses ranges and reaches beyond the safe integers", () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(() => check({ count: most, first: most, length: most })).toThrow("range of move 0: expected an end within");
    const wide = packMove(layout(-100, dense(8), { lowerBoundBytes: 0, extentBytes: 2 ** 52 }));
    const last = binding({ source: at(addressed(most)), count: 3, first: 16, length: 8 });
    expect(() => checkBindings([wide], [last], ANY)).toThrow(
      "source of move 0: expected offsets within ±(2^53 - 1), got Infinity",
    );
    const beyond = { ...last, source: at(addressed(most), 2 ** 52), first: 8 };
    expect(() => checkBindings([wide], [beyond], ANY)).not.toThrow();
    expect(() => checkBindings([wide], [{ ...beyond, source: at(addressed(most), 2 ** 52 + 200) }], ANY)).toThrow(
      "offsets within",
    );
  });

  it("names the move and the side, and wants one binding a move", () => {
    const moves = [packMove(element()), copyMove(element(), element())];
    const wrong = [binding(), binding({ target: at(buffer(100)) })];
    expect(() => checkBindings(moves, wrong, ANY)).toThrow(/^target of move 1: /);
    expect(() => checkBindings(moves, [binding()], ANY)).toThrow("bindings: expected 2, one a move, got 1");
    expect(() => checkBindings([], [binding()], ANY)).toThrow("bindings: expected 0, one a move, got 1");
    expect(() => checkBinding(moves, 2, binding(), ANY)).toThrow("move to bind: expected one of 2, got move 2");
    expect(() => checkBinding(moves, 1, wrong[1] as Binding, ANY)).toThrow(/^target of move 1: /);
    const unpaired = [{ source: element(), target: layout(0, dense(8), element()) }];
    expect(() => checkBindings(unpaired, [binding()], ANY)).toThrow(
      "target of move 0: expected 32 bytes an element, as its source, got 8",
    );
  });

  it("carries subject, expected and got", () => {
    const error = new BindingError("source of move 3", "x", "y");
    expect([error.name, error.subject, error.expected, error.got]).toEqual([
      "BindingError",
      "source of move 3",
      "x",
      "y",
    ]);
  });
});

describe("checkBindings, against the conditions", () => {
  it("holds the count that was compiled for", () => {
    check({}, conditions({ count: 2 }));
    expect(() => check({}, conditions({ count: 3 }))).toThrow("count of move 0: expected 3, as compiled for, got 2");
    expect(() => check({ count: 0, length: 0 }, conditions({ count: 3 }))).toThrow("count of move 0");
  });

  it("holds the kind of memory, even where no byte moves", () => {
    expect(() => check({ length: 0 }, conditions({ sourceKind: "device" }))).toThrow(
      "source of move 0: expected device memory, got host memory",
    );
    expect(() => check({}, conditions({ targetKind: "pinned" }))).toThrow("target of move 0: expected pinned memory");
    const mixed = { kind: "host", regions: [{ startBytes: 0, buffer: addressed(1024, "device") }] } as const;
    expect(() => check({ source: at(mixed) })).toThrow("source of move 0: expected host memory, got device memory");
  });

  it("holds alignments where an address or a byte offset is known", () => {
    const eight = conditions({ sourceAlignment: 8 });
    const bytes = new ArrayBuffer(2048);
    check({ source: at(hostMemory(new Uint8Array(bytes, 8)), 16) }, eight);
    check({ source: at(hostMemory(new Uint8Array(bytes, 4)), 4) }, eight);
    expect(() => check({ source: at(hostMemory(new Uint8Array(bytes, 4))) }, eight)).toThrow(
      "source of move 0: expected its origin aligned to 8 bytes, got byte offset 4",
    );
    check({ source: at({ ...addressed(1024), address: 4100 }, 4) }, eight);
    expect(() => check({ source: at(addressed(1024), 4) }, eight)).toThrow(
      "source of move 0: expected its origin aligned to 8 bytes, got address 4100",
    );
    expect(() => check({ target: at(buffer(80), 1) }, conditions({ targetAlignment: 2 }))).toThrow("target of move 0");
    const shifted = addressSpace([{ startBytes: 4, buffer: addressed(1024) }]);
    check({ source: at(shifted, 12) }, eight);
    expect(() => check({ source: at(shifted, 8) }, eight)).toThrow("got address 4100");
  });
});

describe("checkBindings, of an address space", () => {
  const scattered = packMove(
    element(
      sequence([
        { offsetBytes: 1000, node: dense(8) },
        { offsetBytes: 2 ** 40, node: stream(2, 16, dense(8)) },
      ]),
      24,
    ),
  );
  const one = binding({ count: 1, length: 24 });

  it("moves blocks of several buffers at once, past 2^32", () => {
    const regions = [
      { startBytes: 2 ** 40, buffer: buffer(24) },
      { startBytes: 1000, buffer: buffer(8) },
    ];
    checkBindings([scattered], [{ ...one, source: at(addressSpace(regions)) }], ANY);
    const moved = addressSpace(regions.map((region) => ({ ...region, startBytes: region.startBytes - 500 })));
    checkBindings([scattered], [{ ...one, source: at(moved, -500) }], ANY);
    expect(() => checkBindings([scattered], [{ ...one, source: at(moved, -499) }], ANY)).toThrow(
      "source of move 0: expected each block within one region of the address space, got the block [501, 509)",
    );
  });

  it("needs no region for blocks that the range leaves out", () => {
    const only = addressSpace([{ startBytes: 2 ** 40 + 12, buffer: buffer(24) }]);
    checkBindings([scattered], [{ ...one, source: at(only), first: 20, length: 4 }], ANY);
    expect(() => checkBindings([scattered], [{ ...one, source: at(only), first: 15, length: 4 }], ANY)).toThrow(
      "got the block [1099511627783, 1099511627784)",
    );
  });

  it("checks the buffer of every region that a block lies in", () => {
    const gone = { ...buffer(0), sizeBytes: 24 };
    const space = addressSpace([
      { startBytes: 1000, buffer: buffer(8) },
      { startBytes: 2 ** 40, buffer: gone },
    ]);
    expect(() => checkBindings([scattered], [{ ...one, source: at(space) }], ANY)).toThrow("detached");
    checkBindings([scattered], [{ ...one, source: at(space), length: 8 }], ANY);
  });

  it("agrees with a byte-by-byte search for the regions of each block", () => {
    const anySpace = fc
      .array(fc.tuple(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 6 })
      .map((steps) => {
        let end = 0;
        return addressSpace(
          steps.map(([gap, sizeBytes]) => {
            const startBytes = end + gap;
            end = startBytes + sizeBytes;
            return { startBytes, buffer: addressed(sizeBytes) };
          }),
        );
      });
    const anyBlocks = fc.array(fc.tuple(fc.nat({ max: 150 }), fc.integer({ min: 1, max: 20 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(anySpace, anyBlocks, fc.integer({ min: -20, max: 20 }), (space, list, origin) => {
        const node = sequence(list.map(([offsetBytes, length]) => ({ offsetBytes, node: dense(length) })));
        const regionOf = (byte: number): number =>
          space.regions.findIndex(
            ({ startBytes, buffer }) => byte >= startBytes && byte < startBytes + buffer.sizeBytes,
          );
        const fits = list.every(([offset, length]) =>
          Array.from({ length }, (_, i) => regionOf(origin + offset + i)).every(
            (region) => region >= 0 && region === regionOf(origin + offset),
          ),
        );
        const bound = { source: at(space, origin), target: at(buffer(80)), count: 1, first: 0, length: node.sizeBytes };
        const checked = (): void => checkBindings([packMove(element(node))], [bound], ANY);
        if (fits) checked();
        else expect(checked).toThrow(/^source of move 0: expected each block within one region/);
      }),
      { numRuns: 2000 },
    );
  });
});
