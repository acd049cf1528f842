import { describe, expect, it } from "vitest";
import { conditions, packMove, unpackMove, type Binding, type Move } from "@stowage/backend-api";
import { copyBytes, openSimulatedCuda, type Context, type DeviceMemory } from "@stowage/cuda-driver";
import {
  boxOf,
  type Datatype,
  forEachRun,
  hvector,
  type Layout,
  lower,
  predefined,
  resized,
  subarray,
  vector,
} from "@stowage/ir";
import { CudaStridedBackend, programFor, shapeOf, tileBytes, writeRecord } from "../src/index.js";

const KINDS = { sourceKind: "device", targetKind: "device" } as const;
const double = predefined("MPI_DOUBLE");
const byte = predefined("MPI_BYTE");

/** A simulated driver that counts kernel launches, and devices whose memory tests can look into. */
function setUp() {
  const counts = { launches: 0 };
  const driver = openSimulatedCuda({
    fault: (call) => {
      if (call === "cuLaunchKernelEx") counts.launches++;
      return undefined;
    },
  });
  const context = driver.context();
  return { counts, driver, context, stream: context.stream(), backend: new CudaStridedBackend(() => driver) };
}

const patterned = (sizeBytes: number): Uint8Array =>
  Uint8Array.from({ length: sizeBytes }, (_, i) => (i * 131 + (i >> 8) * 17) & 255);

function upload(context: Context, bytes: Uint8Array): DeviceMemory {
  const memory = context.deviceMemory(bytes.length);
  const stream = context.stream();
  copyBytes(context, memory.address, context.libcuda.addressOf(bytes), bytes.length).run(stream);
  stream.synchronize();
  return memory;
}

function download(context: Context, memory: DeviceMemory): Uint8Array {
  const stream = context.stream();
  const bytes = new Uint8Array(memory.sizeBytes);
  copyBytes(context, context.libcuda.addressOf(bytes), memory.address, bytes.length).run(stream);
  stream.synchronize();
  return bytes;
}

/** The packed stream by the byte map: an independent walk over runs. */
function packedBy(layout: Layout, count: number, bytes: Uint8Array): number[] {
  const packed: number[] = [];
  forEachRun(layout, { count, first: 0, length: layout.sizeBytes * count }, (offset, length) => {
    for (let i = 0; i < length; i++) packed.push(bytes[offset + i] as number);
  });
  return packed;
}

const whole = (source: DeviceMemory, target: DeviceMemory, count: number, length: number): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count,
  first: 0,
  length,
});

const TYPES: readonly (readonly [name: string, type: Datatype, count: number])[] = [
  ["rows of one word", hvector(5000, 8, 24, byte), 1],
  ["rows of many words, and elements with a gap", resized(0, 9000, vector(33, 5, 7, double)), 3],
  ["rows of odd bytes", hvector(777, 5, 11, byte), 2],
  [
    "a face across three dimensions",
    subarray({ sizes: [9, 10, 11], subsizes: [9, 10, 1], starts: [0, 0, 4], order: "C", child: double }),
    1,
  ],
  ["a transpose", hvector(24, 1, 8, vector(40, 1, 24, double)), 1],
  [
    "five dimensions",
    hvector(2, 1, 40_000, hvector(3, 1, 9000, hvector(2, 1, 4000, hvector(3, 1, 1000, vector(4, 1, 3, double))))),
    1,
  ],
];

describe("strided kernels move what the byte map says", () => {
  for (const smBudget of [undefined, 2]) {
    for (const [name, type, count] of TYPES) {
      it(`${name}, ${smBudget ?? "all"} multiprocessors`, () => {
        const { context, stream, backend } = setUp();
        const layout = lower(type);
        const input = patterned(layout.trueLowerBoundBytes + layout.trueExtentBytes + layout.extentBytes * (count - 1));
        const source = upload(context, input);
        const packed = context.deviceMemory(layout.sizeBytes * count);
        const known = conditions({ ...KINDS, ...(smBudget === undefined ? {} : { smBudget }) });
        const pack = backend
          .load(backend.compile([packMove(layout)], known))
          .bind([whole(source, packed, count, packed.sizeBytes)]);
        pack.run(stream).wait();
        expect([...download(context, packed)]).toEqual(packedBy(layout, count, input));
        const target = upload(context, new Uint8Array(input.length));
        const unpack = backend
          .load(backend.compile([unpackMove(layout)], known))
          .bind([whole(packed, target, count, packed.sizeBytes)]);
        unpack.run(stream).wait();
        expect(packedBy(layout, count, download(context, target))).toEqual(packedBy(layout, count, input));
      });
    }
  }
});

describe("launches", () => {
  it("many moves of unlike shapes are one launch", () => {
    const { context, counts, stream, backend } = setUp();
    const layouts = [...TYPES, ...TYPES].map(([, type]) => lower(type));
    const input = patterned(200_000);
    const source = upload(context, input);
    const targets = layouts.map((layout) => context.deviceMemory(layout.sizeBytes));
    const moves: Move[] = layouts.map((layout) => packMove(layout));
    const bindings = targets.map((target) => whole(source, target, 1, target.sizeBytes));
    const plan = backend.load(backend.compile(moves, conditions(KINDS))).bind(bindings);
    counts.launches = 0;
    plan.run(stream).wait();
    expect(counts.launches).toBe(1);
    targets.forEach((target, i) => {
      expect([...download(context, target)]).toEqual(packedBy(layouts[i] as Layout, 1, input));
    });
  });

  it("a kernel specialised to its move moves the same", () => {
    const { context, stream, driver } = setUp();
    const backend = new CudaStridedBackend(() => driver, { specialise: true });
    for (const [, type, count] of TYPES) {
      const layout = lower(type);
      const input = patterned(200_000);
      const source = upload(context, input);
      const packed = context.deviceMemory(layout.sizeBytes * count);
      const kernel = backend.load(backend.compile([packMove(layout)], conditions(KINDS)));
      kernel
        .bind([whole(source, packed, count, packed.sizeBytes)])
        .run(stream)
        .wait();
      expect([...download(context, packed)]).toEqual(packedBy(layout, count, input));
    }
  });

  it("a captured plan moves what memory holds when its graph runs", () => {
    const { context, stream, backend } = setUp();
    const layout = lower(vector(64, 1, 2, double));
    const source = upload(context, patterned(1024));
    const packed = context.deviceMemory(512);
    const plan = backend
      .load(backend.compile([packMove(layout)], conditions(KINDS)))
      .bind([whole(source, packed, 1, 512)]);
    const graph = stream.capture(() => void plan.run(stream));
    const executable = graph.instantiate();
    const changed = patterned(1024).map((value) => value ^ 255);
    copyBytes(context, source.address, context.libcuda.addressOf(changed), 1024).run(stream);
    executable.launch(stream);
    stream.synchronize();
    expect([...download(context, packed)]).toEqual(packedBy(layout, 1, changed));
  });

  it("sizes past 2^32 move their ends, on sparse memory", () => {
    const { context, stream, backend } = setUp();
    const layout = lower(hvector(2, 8, 2 ** 33, byte));
    const source = context.deviceMemory(2 ** 33 + 64);
    const ends = patterned(16);
    for (const [i, offset] of [0, 2 ** 33].entries()) {
      copyBytes(context, source.address + offset, context.libcuda.addressOf(ends) + i * 8, 8).run(stream);
    }
    const packed = context.deviceMemory(16);
    backend
      .load(backend.compile([packMove(layout)], conditions(KINDS)))
      .bind([whole(source, packed, 1, 16)])
      .run(stream)
      .wait();
    expect([...download(context, packed)]).toEqual([...ends]);
  });
});

describe("rows moved in parts", () => {
  for (const direction of ["pack", "unpack"] as const) {
    it(`${direction} what the byte map says`, () => {
      const { context, stream } = setUp();
      const layout = lower(hvector(3, 1, 9000, hvector(33, 16, 256, byte)));
      const input = patterned(layout.trueExtentBytes);
      const expected = packedBy(layout, 1, input);
      const scattered = upload(context, direction === "pack" ? input : new Uint8Array(input.length));
      const packed = upload(
        context,
        direction === "pack" ? new Uint8Array(expected.length) : Uint8Array.from(expected),
      );
      const box = boxOf(layout);
      if (box === undefined) throw new Error("expected a strided layout");
      const transfer = {
        box,
        scatteredAddress: scattered.address,
        packedAddress: packed.address,
        first: 0,
        length: layout.sizeBytes,
      };
      // As on a device without L2: memory limits everything.
      const shape = shapeOf(transfer, direction, { ...context.device, l2Bytes: 0 });
      expect(shape.wordBytes).toBe(4);
      const program = programFor([shape], 1);
      const tiles = Math.ceil(transfer.length / tileBytes(shape, 512));
      const launch = context
        .kernel(program.kernel)
        .launch(program.recordsOffset + program.recordBytes, { grid: { x: tiles }, block: { x: 512 } });
      launch.parameters.setUint32(0, tiles, true);
      launch.parameters.setUint32(4, 1, true);
      writeRecord(launch.parameters, program.recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
      launch.run(stream);
      stream.synchronize();
      expect(
        direction === "pack" ? [...download(context, packed)] : packedBy(layout, 1, download(context, scattered)),
      ).toEqual(expected);
    });
  }
});

describe("what is refused says why", () => {
  const { backend, driver } = setUp();
  const layout = lower(vector(4, 1, 2, double));
  it("pageable memory", () => {
    const support = backend.supports([packMove(layout)], conditions());
    expect(support).toEqual({
      ok: false,
      reason: "GPU kernels reach device, pinned and managed memory, not host memory",
    });
  });
  it("a machine without a driver", () => {
    const none = new CudaStridedBackend(() => openSimulatedCuda({ devices: 0 }));
    expect(none.supports([packMove(layout)], conditions(KINDS))).toMatchObject({ ok: false });
    expect(driver.simulated).toBe(true);
  });
});
