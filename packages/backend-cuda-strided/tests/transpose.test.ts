import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conditions, copyMove, packMove, unpackMove, type Binding, type Direction } from "@stowage/backend-api";
import { copyBytes, openSimulatedCuda } from "@stowage/cuda-driver";
import {
  boxOf,
  contiguous,
  type Datatype,
  forEachRun,
  hvector,
  type Layout,
  lower,
  predefined,
  subarray,
} from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { SimulatedMemory, translate } from "@stowage/ptx";
import { CudaStridedBackend, programFor, writeRecord } from "../src/index.js";
import { tilesOf } from "../src/record.js";
import { shapeOf } from "../src/shape.js";

const driver = openSimulatedCuda();
const context = driver.context();
const stream = context.stream();
const backend = new CudaStridedBackend(() => driver);
const byte = predefined("MPI_BYTE");
const double = predefined("MPI_DOUBLE");
const runs = Number(process.env["STOWAGE_LAW_RUNS"] ?? 150);

/** Elements of a matrix in the other order: `across` of them at a far stride, repeatedBox `along` at a near one. */
interface Matrix {
  readonly wordBytes: number;
  readonly across: number;
  readonly along: number;
  readonly gapBytes: number;
  readonly planes: number;
  readonly backwards: boolean;
}

function transposed({ wordBytes, across, along, gapBytes, planes, backwards }: Matrix): Datatype {
  const rowBytes = along * wordBytes + gapBytes;
  const column = hvector(across, wordBytes, backwards ? -rowBytes : rowBytes, byte);
  return hvector(planes, 1, across * rowBytes, hvector(along, 1, wordBytes, column));
}

const anyMatrix: fc.Arbitrary<Matrix> = fc.record({
  wordBytes: fc.constantFrom(1, 2, 4, 8, 16),
  across: fc.integer({ min: 8, max: 140 }),
  along: fc.integer({ min: 8, max: 140 }),
  gapBytes: fc.constantFrom(0, 16, 32),
  planes: fc.integer({ min: 1, max: 3 }),
  backwards: fc.boolean(),
});

const patterned = (sizeBytes: number): Uint8Array =>
  Uint8Array.from({ length: sizeBytes }, (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255);

const ranged = (layout: Layout, cut: readonly [number, number]) => {
  const [first, end] = cut.map((part) => Math.floor(layout.sizeBytes * part)).sort((a, b) => a - b) as [number, number];
  return { first, length: end - first };
};

/** Packs, then unpacks into cleared memory; throws where a byte is not where the byte map has it. */
function moveAndCompare(layout: Layout, range: { first: number; length: number }, smBudget?: number): void {
  const origin = -layout.trueLowerBoundBytes;
  using scattered = context.deviceMemory(layout.trueExtentBytes);
  using packed = context.deviceMemory(layout.sizeBytes);
  const [input, stale] = [patterned(layout.trueExtentBytes), new Uint8Array(layout.sizeBytes).fill(0xee)];
  const transfer = (to: number, from: number, bytes: number) => copyBytes(context, to, from, bytes).run(stream);
  transfer(scattered.address, context.libcuda.addressOf(input), input.length);
  transfer(packed.address, context.libcuda.addressOf(stale), stale.length);
  const known = conditions({
    sourceKind: "device",
    targetKind: "device",
    ...(smBudget === undefined ? {} : { smBudget }),
  });
  const sides = [
    { memory: scattered, originBytes: origin },
    { memory: packed, originBytes: 0 },
  ] as const;
  const run = (binding: Binding, unpacks: boolean) => {
    const move = unpacks ? unpackMove(layout) : packMove(layout);
    backend
      .load(backend.compile([move], known))
      .bind([binding])
      .run(stream)
      .wait();
  };
  run({ source: sides[0], target: sides[1], count: 1, ...range }, false);
  const expected = stale.slice();
  const cleared = new Uint8Array(input.length);
  const restored = cleared.slice();
  let at = range.first;
  forEachRun(layout, { count: 1, ...range }, (offset, length) => {
    expected.set(input.subarray(origin + offset, origin + offset + length), at);
    restored.set(input.subarray(origin + offset, origin + offset + length), origin + offset);
    at += length;
  });
  const got = new Uint8Array(layout.sizeBytes);
  transfer(context.libcuda.addressOf(got), packed.address, got.length);
  transfer(scattered.address, context.libcuda.addressOf(cleared), cleared.length);
  run({ source: sides[1], target: sides[0], count: 1, ...range }, true);
  const back = new Uint8Array(input.length);
  transfer(context.libcuda.addressOf(back), scattered.address, back.length);
  stream.synchronize();
  expect(Buffer.compare(got, expected), "packed bytes").toBe(0);
  expect(Buffer.compare(back, restored), "unpacked bytes").toBe(0);
}

const isTransposed = (layout: Layout): boolean => {
  const box = boxOf(layout);
  if (box === undefined) throw new Error("expected a strided layout");
  const place = { box, scatteredAddress: 4096, packedAddress: 4096, first: 0, length: layout.sizeBytes };
  return shapeOf(place, "pack", context.device).along !== undefined;
};

describe("transposes through shared memory", () => {
  it("move what the byte map says, whole and in ranges", () => {
    const cut = fc.oneof(
      fc.constant([0, 1] as const),
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    );
    const check = fc.property(anyMatrix, cut, fc.constantFrom(undefined, 2), (matrix, parts, smBudget) => {
      const layout = lower(transposed(matrix));
      moveAndCompare(layout, ranged(layout, parts), smBudget);
    });
    fc.assert(check, { numRuns: Math.ceil(runs / 3) });
  });

  it("are what a third or more of these matrices take", () => {
    const drawn = fc.sample(anyMatrix, { seed: 7, numRuns: 90 });
    expect(drawn.filter((matrix) => isTransposed(lower(transposed(matrix)))).length).toBeGreaterThan(30);
  });

  const named: readonly (readonly [string, Datatype])[] = [
    ["a matrix of doubles, column by column", hvector(70, 1, 8, hvector(50, 1, 560, double))],
    ["three dimensions in the opposite order", hvector(33, 1, 8, hvector(5, 1, 264, hvector(34, 1, 1320, double)))],
    ["FFT2's columns of complex numbers", workload("FFT2/1").datatype],
    [
      "a column of an array in Fortran's order, row by row",
      hvector(
        40,
        1,
        4,
        subarray({ sizes: [40, 64], subsizes: [1, 64], starts: [0, 0], order: "F", child: contiguous(4, byte) }),
      ),
    ],
  ];
  for (const [name, datatype] of named) {
    it(name, () => {
      const layout = lower(datatype);
      expect(isTransposed(layout)).toBe(true);
      moveAndCompare(layout, { first: 0, length: layout.sizeBytes });
      moveAndCompare(layout, { first: 3, length: layout.sizeBytes - 10 });
    });
  }
});

/** Dimensions of words: how many, and how many bytes apart on either side. */
type Dimensions = readonly (readonly [count: number, source: number, target: number])[];
const sideOf = (dimensions: Dimensions, side: 1 | 2, wordBytes: number): Datatype =>
  dimensions.reduce<Datatype>((child, each) => hvector(each[0], 1, each[side], child), contiguous(wordBytes, byte));

/** Copies words one by one here, and by the backend; throws where the target differs. */
function copyAndCompare(dimensions: Dimensions, wordBytes: number): void {
  const [from, to] = ([1, 2] as const).map((side) => lower(sideOf(dimensions, side, wordBytes))) as [Layout, Layout];
  const [input, expected] = [patterned(from.trueExtentBytes), new Uint8Array(to.trueExtentBytes).fill(0xee)];
  using source = context.deviceMemory(input.length);
  using target = context.deviceMemory(expected.length);
  const transfer = (into: number, out: number, bytes: number) => copyBytes(context, into, out, bytes).run(stream);
  transfer(source.address, context.libcuda.addressOf(input), input.length);
  transfer(target.address, context.libcuda.addressOf(expected), expected.length);
  const known = conditions({ sourceKind: "device", targetKind: "device" });
  const [a, b] = [-from.trueLowerBoundBytes, -to.trueLowerBoundBytes];
  const sides = { source: { memory: source, originBytes: a }, target: { memory: target, originBytes: b } };
  const kernel = backend.load(backend.compile([copyMove(from, to)], known));
  using plan = kernel.bind([{ ...sides, count: 1, first: 0, length: from.sizeBytes }]);
  plan.run(stream).wait();
  const count = dimensions.reduce((product, [each]) => product * each, 1);
  for (let i = 0; i < count; i++) {
    let [rest, out, into] = [i, a, b];
    for (const [each, sourceBytes, targetBytes] of dimensions) {
      const at = rest % each;
      rest = (rest - at) / each;
      [out, into] = [out + at * sourceBytes, into + at * targetBytes];
    }
    expected.set(input.subarray(out, out + wordBytes), into);
  }
  const got = new Uint8Array(expected.length);
  transfer(context.libcuda.addressOf(got), target.address, got.length);
  stream.synchronize();
  expect(Buffer.compare(got, expected)).toBe(0);
}

const alongOfCopy = (dimensions: Dimensions, wordBytes: number): number | undefined => {
  const boxes = ([1, 2] as const).map((side) => boxOf(lower(sideOf(dimensions, side, wordBytes))));
  const [box, into] = boxes;
  if (box === undefined || into === undefined) throw new Error("expected strided layouts");
  const length = dimensions.reduce((product, [each]) => product * each, wordBytes);
  const target = { box: into, address: 4096, first: 0 };
  const place = { box, scatteredAddress: 4096, packedAddress: 0, first: 0, length, target };
  return shapeOf(place, "copy", context.device).along;
};

describe("copies whose target has gaps", () => {
  const named: readonly (readonly [string, number, Dimensions])[] = [
    [
      "rows of 8 words at twice their length",
      4,
      [
        [8, 128, 4],
        [50, 1024, 64],
        [32, 4, 64 * 50],
      ],
    ],
    [
      "rows of 40 doubles, planes apart on both sides",
      8,
      [
        [40, 8 * 33, 8],
        [33, 8, 8 * 48],
        [3, 8 * 33 * 41, 8 * 48 * 33 + 64],
      ],
    ],
    [
      "bytes",
      1,
      [
        [100, 96, 1],
        [70, 1, 112],
      ],
    ],
    [
      "listed as the source lies",
      4,
      [
        [37, 4, 4 * 40],
        [39, 4 * 37, 4],
      ],
    ],
    [
      "a source that counts backwards",
      4,
      [
        [64, -4 * 33, 4],
        [33, 4, 4 * 70],
      ],
    ],
  ];
  for (const [name, wordBytes, dimensions] of named) {
    it(`${name} go through shared memory`, () => {
      expect(alongOfCopy(dimensions, wordBytes)).toBeDefined();
      copyAndCompare(dimensions, wordBytes);
    });
  }

  const direct: readonly (readonly [string, number, Dimensions])[] = [
    [
      "rows on both sides",
      4,
      [
        [64, 4, 4],
        [64, 512, 1024],
      ],
    ],
    [
      "a target that counts backwards",
      4,
      [
        [64, 4 * 64, -4],
        [64, 4, 4 * 70],
      ],
    ],
    [
      "a target of single words",
      4,
      [
        [64, 4 * 64, 8],
        [64, 4, 8 * 70],
      ],
    ],
  ];
  for (const [name, wordBytes, dimensions] of direct) {
    it(`but not ${name}`, () => {
      expect(alongOfCopy(dimensions, wordBytes)).toBeUndefined();
      copyAndCompare(dimensions, wordBytes);
    });
  }

  it("of random dimensions, in any order, move what they say", () => {
    const drawn = fc.record({
      wordBytes: fc.constantFrom(1, 2, 4, 8),
      counts: fc.tuple(...[20, 40, 3].map((max) => fc.integer({ min: 1, max }))),
      orders: fc.tuple(...[0, 1].map(() => fc.shuffledSubarray([0, 1, 2], { minLength: 3 }))),
      pads: fc.tuple(...[0, 1].map(() => fc.constantFrom(0, 1, 5))),
    });
    const check = fc.property(drawn, ({ wordBytes, counts, orders, pads }) => {
      const strides = orders.map((order, side) => {
        const found: number[] = [];
        let step = wordBytes;
        for (const d of order) {
          found[d] = step;
          step *= (counts[d] as number) + (pads[side] as number);
        }
        return found;
      });
      copyAndCompare(
        counts.map((count, d) => [count, strides[0]?.[d] ?? 0, strides[1]?.[d] ?? 0] as const),
        wordBytes,
      );
    });
    fc.assert(check, { numRuns: Math.ceil(runs / 3) });
  });
});

it("a transpose of 2^32 bytes takes tiles: their indices hold its words", () => {
  const [box, length] = [boxOf(lower(hvector(65536, 1, 1, hvector(65536, 1, 65536, byte)))), 2 ** 32];
  if (box === undefined) throw new Error("expected a strided layout");
  const place = { box, scatteredAddress: 4096, packedAddress: 4096, first: 0, length };
  expect(shapeOf(place, "pack", context.device).along).toBe(1);
});

describe("a tile touches each sector once on either side, and no word between barriers twice", () => {
  for (const wordBytes of [1, 2, 4, 8, 16]) {
    for (const direction of ["pack", "unpack"] as const) {
      it(`${direction}, words of ${wordBytes} B`, () => {
        const { bytes, counters } = countedTranspose(wordBytes, direction);
        expect([counters.globalLoads.sectors, counters.globalStores.sectors]).toEqual([bytes / 32, bytes / 32]);
      });
    }
  }
});

/** A square of two tiles an edge, run with every access counted and races checked. */
function countedTranspose(wordBytes: number, direction: Direction) {
  const edge = 2 * Math.max(32, 128 / wordBytes);
  const layout = lower(transposed({ wordBytes, across: edge, along: edge, gapBytes: 0, planes: 1, backwards: false }));
  const box = boxOf(layout);
  if (box === undefined) throw new Error("expected a strided layout");
  const memory = new SimulatedMemory();
  const [scattered, packed] = [memory.allocate(layout.sizeBytes), memory.allocate(layout.sizeBytes)];
  const transfer = {
    box,
    scatteredAddress: Number(scattered.address),
    packedAddress: Number(packed.address),
    first: 0,
    length: layout.sizeBytes,
  };
  const shape = shapeOf(transfer, direction, context.device);
  const { kernel, recordsOffset } = programFor([shape], 1);
  const parameters = new Uint8Array(kernel.parameterBytes);
  const view = new DataView(parameters.buffer);
  const tiles = tilesOf(transfer, shape, 256);
  view.setUint32(0, tiles, true);
  view.setUint32(4, 1, true);
  writeRecord(view, recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
  // Fewer blocks than tiles: a block's next tile must not overwrite what its threads still read.
  const launch = { grid: [3, 1, 1], block: [256, 1, 1], parameters } as const;
  const counters = translate(kernel, { countAccesses: true, checkRaces: true }).launch(memory, launch);
  return { bytes: layout.sizeBytes, counters };
}

describe("the direct kernel keeps", () => {
  const direct: readonly (readonly [string, Datatype])[] = [
    ["rows that nothing lies between", hvector(100, 8, 64, byte)],
    ["columns of few words", hvector(3, 1, 8, hvector(1000, 1, 512, double))],
    ["rows of more than one word", hvector(64, 1, 24, hvector(64, 24, 24 * 64, byte))],
    ["far strides in both dimensions", hvector(64, 1, 32, hvector(64, 1, 4096, double))],
  ];
  for (const [name, datatype] of direct) it(name, () => expect(isTransposed(lower(datatype))).toBe(false));
});
