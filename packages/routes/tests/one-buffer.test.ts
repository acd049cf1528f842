import { beforeAll, describe, expect, test } from "vitest";
import { ROUTES } from "../src/index.js";
import { bindingOf, bulkStage, hostBuffer, PACK, packedOf, REACH_BYTES, SIZE_BYTES, stageOf, UNPACK } from "./stage.js";

// One buffer of each kind and one stream: every chunk waits for the one before, and runs for one another.
const LEAST = { buffers: 1, streams: 1 };

const CASES = ROUTES.flatMap(({ name, host }) =>
  host.flatMap((kind) => ["cuda-strided", "cuda-generic", "dma"].map((packer) => [`${name}/${packer}`, kind] as const)),
);

describe("by a pool of one buffer", () => {
  const stage = stageOf({}, LEAST);
  const { context, kernel, fill, pool } = stage;
  const data = context.deviceMemory(REACH_BYTES);
  let bytes: Uint8Array;

  beforeAll(() => {
    bytes = fill(data.address, 6);
  });

  test.each(CASES)("%s packs and unpacks twice, %s memory", (name, kind) => {
    const stream = context.stream();
    const packed = kind === "host" ? hostBuffer(SIZE_BYTES) : context.pinnedMemory(SIZE_BYTES);
    const restored = context.pinnedMemory(REACH_BYTES);
    const expected = packedOf(bytes);
    const pack = kernel(name, PACK, kind).bind([bindingOf(data, packed)]);
    for (let run = 0; run < 2; run++) {
      packed.bytes.fill(0);
      // The second is sent while the first may be under way.
      pack.run(stream);
      pack.run(stream).wait();
      expect(packed.bytes).toEqual(expected);
    }
    const into = context.deviceMemory(REACH_BYTES);
    into.fill(0, stream);
    const unpack = kernel(name, UNPACK, kind).bind([bindingOf(packed, into)]);
    unpack.run(stream);
    unpack.run(stream).wait();
    context.libcuda.cuMemcpyAsync(restored.address, into.address, REACH_BYTES, stream.handle);
    stream.synchronize();
    expect(packedOf(restored.bytes)).toEqual(expected);
    expect(pool().use).toMatchObject({ taken: 0 });
    expect(pool().use.buffers).toBeLessThanOrEqual(2);
  });
});

test("a plan that is bound to other memory outlives the staging buffer that it used", () => {
  const { context, kernel, fill, pool } = stageOf({}, LEAST);
  const [first, second] = [context.deviceMemory(REACH_BYTES), context.deviceMemory(REACH_BYTES)];
  fill(first.address, 6);
  const bytes = fill(second.address, 7);
  const packed = context.pinnedMemory(SIZE_BYTES);
  const pack = kernel("device/cuda-strided", PACK, "pinned").bind([bindingOf(first, packed)]);
  pack.run().wait();
  pool().shrink();
  pack.rebind(0, bindingOf(second, packed));
  pack.run().wait();
  expect(packed.bytes).toEqual(packedOf(bytes));
});

test("the bulk way packs by one mirror", () => {
  const { context, bulk, fill, pool } = bulkStage({}, { ...LEAST, stagingBytes: 512 });
  const data = context.deviceMemory(REACH_BYTES);
  const expected = packedOf(fill(data.address, 8));
  const target = hostBuffer(SIZE_BYTES);
  bulk()
    .bind([bindingOf(data, target)])
    .run();
  expect(target.bytes).toEqual(expected);
  expect(pool().use).toMatchObject({ taken: 0, buffers: 1 });
});
