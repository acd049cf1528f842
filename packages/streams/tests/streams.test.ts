import { anyDatatype } from "@stowage/arbitraries";
import { CpuBackend } from "@stowage/backend-cpu";
import { Engine } from "@stowage/engine";
import { boundsOf, predefined, vector, type Datatype } from "@stowage/ir";
import fc from "fast-check";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, describe, expect, it } from "vitest";
import { packChunks, packedStream, unpackChunks, unpackingStream } from "../src/index.js";

const SEED = Number(process.env["STOWAGE_SEED"] ?? 17);
const engine = new Engine({ backends: [new CpuBackend()] });
afterAll(() => engine[Symbol.dispose]());

const column = engine.commit(vector(3000, 1, 3, predefined("MPI_DOUBLE")));
const matrix = Float64Array.from({ length: 9000 }, (_, i) => i);
const whole = new Uint8Array(24_000);
column.pack(matrix, whole);
const restored = Float64Array.from(matrix, (value, i) => (i % 3 === 0 ? value : 0));

const joined = (chunks: readonly Uint8Array[]): Uint8Array => Buffer.concat(chunks);

describe("a packed stream in chunks", () => {
  it("is the packed stream, cut every chunkBytes", () => {
    const chunks = [...packChunks(column, matrix, { chunkBytes: 7000 })];
    expect(chunks.map((chunk) => chunk.length)).toEqual([7000, 7000, 7000, 3000]);
    expect(Buffer.compare(joined(chunks), whole)).toBe(0);
    expect([...packChunks(column, matrix, { count: 0 })]).toEqual([]);
  });

  it("restores any datatype, however the stream is cut on either side", async () => {
    const property = fc.asyncProperty(
      smallTypes,
      fc.integer({ min: 1, max: 40 }),
      fc.nat(3),
      async (type, cut, count) => {
        const { memory, origin } = spread(type, count);
        const source = {
          memory: { kind: "host", sizeBytes: memory.length, bytes: memory },
          originBytes: origin,
        } as const;
        const back = new Uint8Array(memory.length);
        const target = { memory: { kind: "host", sizeBytes: back.length, bytes: back }, originBytes: origin } as const;
        const committed = engine.commit(type);
        const packed = joined([...packChunks(committed, source, { count, chunkBytes: cut })]);
        await unpackChunks(committed, Readable.from(pieces(packed, cut + 3)), target, { count });
        expect(Buffer.compare(joined([...packChunks(committed, target, { count })]), packed)).toBe(0);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: 100 });
  });
});

/** Types without overlap, whose unpacking is defined, and which fit a test. */
const smallTypes = anyDatatype().filter((type) => {
  const { trueExtentBytes, extentBytes } = boundsOf(type);
  return trueExtentBytes < 4096 && Math.abs(extentBytes) < 4096 && isOnto(type);
});

/** Whether packing what was unpacked gives it back: no byte of the type map is there twice. */
function isOnto(type: Datatype): boolean {
  const { memory, origin } = spread(type, 3);
  const committed = engine.commit(type);
  const seen = new Uint8Array(memory.length);
  const size = 3 * committed.layout.sizeBytes;
  const ones = new Uint8Array(size).fill(1);
  const span = { memory: { kind: "host", sizeBytes: seen.length, bytes: seen }, originBytes: origin } as const;
  committed.unpack(ones, span, { count: 3 });
  return seen.reduce((sum, byte) => sum + byte, 0) === size;
}

function spread(type: Datatype, count: number): { readonly memory: Uint8Array; readonly origin: number } {
  const { trueLowerBoundBytes, trueExtentBytes, extentBytes } = boundsOf(type);
  const last = Math.max(0, count - 1) * extentBytes;
  const origin = Math.max(0, -trueLowerBoundBytes - Math.min(0, last));
  const length = Math.max(0, origin + trueLowerBoundBytes + trueExtentBytes + Math.max(0, last));
  return { memory: Uint8Array.from({ length }, (_, i) => (i * 131 + (i >> 8) * 17 + 7) & 255), origin };
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("through what carries bytes", () => {
  it("a socket, whose other end is slow to read", async () => {
    const received = new Float64Array(9000);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const sender = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const sent = pipeline(Readable.from(packChunks(column, matrix, { chunkBytes: 1000 })), sender);
    const [socket] = await accepted;
    await unpackChunks(column, slowly(socket), received);
    await sent;
    server.close();
    expect(received).toEqual(restored);
  });

  it("a pipe through another process", async () => {
    const received = new Float64Array(9000);
    const cat = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
    const sent = pipeline(Readable.from(packChunks(column, matrix, { chunkBytes: 4096 })), cat.stdin);
    await Promise.all([sent, unpackChunks(column, cat.stdout, received)]);
    expect(received).toEqual(restored);
  });

  it("Web streams, transforms between them", async () => {
    const received = new Float64Array(9000);
    const halves = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const piece of pieces(chunk, Math.ceil(chunk.length / 2))) controller.enqueue(piece);
      },
    });
    await packedStream(column, matrix, { chunkBytes: 999 })
      .pipeThrough(halves)
      .pipeTo(unpackingStream(column, received));
    expect(received).toEqual(restored);
  });
});

async function* slowly(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield chunk;
  }
}

describe("backpressure", () => {
  it("packs no chunk that nobody asked for, but one ahead", async () => {
    let packs = 0;
    const counted = {
      layout: column.layout,
      pack: (...args: Parameters<typeof column.pack>) => (packs++, column.pack(...args)),
    };
    const reader = packedStream(counted, matrix, { chunkBytes: 1000 }).getReader();
    for (let read = 0; read < 5; read++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(packs).toBe(read + 1);
      await reader.read();
    }
    await reader.cancel();
    expect(packs).toBeLessThanOrEqual(6);
  });
});

describe("an end that is none", () => {
  const target = (): Float64Array => new Float64Array(9000);

  it("a stream that is too short or too long is refused, what had arrived being unpacked", async () => {
    const short = target();
    await expect(unpackChunks(column, [whole.subarray(0, 16)], short)).rejects.toThrow(
      "packed stream: expected 24000 bytes, got its end after 16",
    );
    expect([...short.subarray(0, 7)]).toEqual([0, 0, 0, 3, 0, 0, 0]);
    const long = unpackChunks(column, [whole, Uint8Array.of(1)], target());
    await expect(long).rejects.toThrow("packed stream: expected 24000 bytes, got 24001 or more");
    const strings = ["text"] as never;
    await expect(unpackChunks(column, strings, target())).rejects.toThrow(
      'chunk of a packed stream: expected bytes, got "',
    );
  });

  it("an aborted one throws the reason at once, and closes its source", async () => {
    const aborting = new AbortController();
    let isClosed = false;
    const endless = (async function* () {
      try {
        yield whole.subarray(0, 8);
        setTimeout(() => aborting.abort(new Error("enough")), 1);
        yield await new Promise<Uint8Array>((resolve) => setTimeout(() => resolve(whole.subarray(8, 16)), 20));
      } finally {
        isClosed = true;
      }
    })();
    await expect(unpackChunks(column, endless, target(), { signal: aborting.signal })).rejects.toThrow("enough");
    await expect.poll(() => isClosed).toBe(true);
    const chunks = packChunks(column, matrix, { signal: aborting.signal });
    expect(() => chunks.next()).toThrow("enough");
  });

  it("a source that fails gives its own error", async () => {
    const failing = Readable.from(
      (function* () {
        yield whole.subarray(0, 8);
        throw new Error("cable cut");
      })(),
    );
    await expect(unpackChunks(column, failing, target())).rejects.toThrow("cable cut");
  });

  it("arguments that cannot be are refused before the first chunk", () => {
    expect(() => packChunks(column, matrix, { chunkBytes: 0 })).toThrow(
      "bytes of a chunk: expected an integer above 0, got 0",
    );
    expect(() => packedStream(column, matrix, { count: -1 })).toThrow(
      /^count of a packed stream: expected .*, got -1$/,
    );
  });
});
