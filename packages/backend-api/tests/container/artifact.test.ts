import { layout, stream, uniformBlocks, dense } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactError, conditions, copyMove, decodeArtifact, encodeArtifact, packMove } from "../../src/index.js";
import type { Artifact, Data } from "../../src/index.js";
import { checksumOf, FIELD } from "../../src/container/format.js";
import { nativeHeaderEnd } from "../../src/container/native-header.js";
import { anyArtifact } from "./any-artifact.js";

const scattered = layout(8, stream(3, 1024, uniformBlocks(Int32Array.of(64, 0, 16), dense(8))), {
  lowerBoundBytes: 0,
  extentBytes: 4096,
});
const artifact = (payload: Data): Artifact => ({
  backend: "x64",
  formatVersion: 3,
  key: "x64-3-00",
  moves: [packMove(scattered)],
  conditions: conditions(),
  payload,
});
const payloadOf = (payload: Data): Data => decodeArtifact(encodeArtifact(artifact(payload))).payload;

/** A container that was changed, with a checksum that fits again. */
function resealed(change: (container: Uint8Array, fields: DataView) => void, payload: Data = null): Uint8Array {
  const container = encodeArtifact(artifact(payload));
  const fields = new DataView(container.buffer);
  change(container, fields);
  fields.setUint32(FIELD.checksum, checksumOf(container), true);
  return container;
}

/** A container whose header has a text replaced by another of the same length. */
const withHeader = (from: string, to: string, payload: Data = null): Uint8Array =>
  resealed((container) => {
    const text = String.fromCharCode(...container);
    expect(text).toContain(from);
    expect(to.length).toBe(from.length);
    container.set(Array.from(text.replace(from, to), (unit) => unit.charCodeAt(0)));
  }, payload);

describe("encodeArtifact", () => {
  it("loses nothing: what is decoded equals what was encoded, and encodes to the same bytes", () => {
    fc.assert(
      fc.property(anyArtifact, (original) => {
        const bytes = encodeArtifact(original);
        const decoded = decodeArtifact(bytes);
        expect(decoded).toEqual(original);
        expect(Buffer.compare(encodeArtifact(decoded), bytes)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps -0 and every NaN, in numbers and to the bit in tables", () => {
    const bits = BigInt64Array.of(0x7ff8dead_beef0001n, -(2n ** 63n));
    const table = new Float64Array(bits.buffer.slice(0));
    const [zero, nan, infinity, decoded] = payloadOf([-0, NaN, -Infinity, table]) as [
      number,
      number,
      number,
      Float64Array,
    ];
    expect(Object.is(zero, -0) && Number.isNaN(nan) && infinity === -Infinity).toBe(true);
    expect(new BigInt64Array(decoded.buffer)).toEqual(bits);
  });

  it("holds a table once that is met twice, and layouts that moves share", () => {
    const code = new Uint8Array(10_000).fill(0x90);
    const once = encodeArtifact(artifact([code])).length;
    expect(encodeArtifact(artifact([code, { again: code }])).length).toBeLessThan(once + 200);
    const [first, second] = payloadOf([code, code]) as [Uint8Array, Uint8Array];
    expect(first).toBe(second);
    const shared = decodeArtifact(encodeArtifact({ ...artifact(null), moves: [copyMove(scattered, scattered)] }));
    expect(shared.moves[0]?.source).toBe(shared.moves[0]?.target);
  });

  it("aligns each table to 64 bytes, and stands anywhere in memory", () => {
    const bytes = encodeArtifact(artifact([Uint8Array.of(1, 2, 3), Float64Array.of(2.5)]));
    const text = String.fromCharCode(...bytes);
    expect(text.indexOf("\x01\x02\x03") % 64).toBe(0);
    expect(bytes.indexOf(0x40, bytes.length - 8)).toBe(bytes.length - 1); // 2.5 is 0x4004000000000000
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(decodeArtifact(shifted.subarray(3))).toEqual(decodeArtifact(bytes));
  });

  it("gives tables of their own: later changes of the container do not reach them", () => {
    const bytes = encodeArtifact(artifact(Uint8Array.of(7)));
    const decoded = decodeArtifact(bytes);
    bytes.fill(0);
    expect(decoded.payload).toEqual(Uint8Array.of(7));
  });

  it("writes text beyond ASCII, and names that JSON would take for a prototype", () => {
    const payload = JSON.parse('{"__proto__": {"x": 1}, "é\ud83d\ude00": "\ud800"}') as Data;
    const decoded = payloadOf(payload);
    expect(Object.keys(decoded as object)).toEqual(["__proto__", "é\ud83d\ude00"]);
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(payload));
  });

  it("takes layouts that nest 10,000 levels, and refuses a payload that nests 257", () => {
    let root = stream(1, 0, dense(8));
    for (let i = 0; i < 10_000; i++) root = stream(1, 1, root);
    const deep = layout(0, root, { lowerBoundBytes: 0, extentBytes: 8 });
    const moves = [packMove(deep)];
    expect(decodeArtifact(encodeArtifact({ ...artifact(null), moves })).moves[0]?.source.root.depth).toBe(10_002);
    let nested: Data = 1;
    for (let i = 0; i < 257; i++) nested = [nested];
    expect(() => encodeArtifact(artifact(nested))).toThrow(
      "data of an artifact: expected at most 256 levels, got more",
    );
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["function", () => 1],
    ["bigint", 1n],
    ["[object Map]", new Map()],
    ["[object Float32Array]", new Float32Array(1)],
  ])("refuses a payload of %s", (got, payload) => {
    expect(() => encodeArtifact(artifact({ inner: payload as Data }))).toThrow(`plain objects, got ${got}`);
  });
});

describe("what programs in C read", () => {
  const code = Uint8Array.from({ length: 70 }, (_, i) => i);
  const description = Uint8Array.of(9, 8, 7);
  const payload = { level: "avx2", code, entries: Int32Array.of(64) };

  it("stands at fixed places", () => {
    const bytes = encodeArtifact({ ...artifact(payload), description });
    const fields = new DataView(bytes.buffer);
    const text = (at: number) => String.fromCharCode(...bytes.subarray(at, bytes.indexOf(0, at)));
    const word = (at: number) => Number(fields.getBigInt64(at, true));
    expect([fields.getUint32(28, true), text(32), fields.getUint32(56, true), text(64)]).toEqual([1, "x64", 3, "avx2"]);
    expect(bytes.subarray(word(80), word(80) + word(88))).toEqual(code);
    expect(bytes.subarray(word(96), word(96) + word(104))).toEqual(description);
    // Three runs of 64 and 16 times 8 bytes from byte 8 on, packed.
    const { sizeBytes, trueExtentBytes } = scattered;
    const packed = [sizeBytes, 0, sizeBytes, 0];
    const record = Array.from({ length: 9 }, (_, i) => word(128 + 8 * i));
    expect(record).toEqual([sizeBytes, 4096, 0, trueExtentBytes, 8, ...packed]);
    expect([fields.getUint32(128 + 72, true), word(128 + 80)]).toEqual([0, 64]);
  });

  it("is empty of code where the payload holds none, or entries beyond it", () => {
    for (const other of [null, { ...payload, entries: Int32Array.of(70) }, { ...payload, entries: Int32Array.of() }]) {
      const fields = new DataView(encodeArtifact(artifact(other)).buffer);
      expect(fields.getBigUint64(80, true) + fields.getBigUint64(88, true)).toBe(0n);
    }
  });

  it("is compared with the header", () => {
    const told = resealed((bytes) => bytes.set([1], 128), payload);
    expect(() => decodeArtifact(told)).toThrow("native header of an artifact: expected what its header says");
    const moves = resealed((_, fields) => fields.setUint32(FIELD.moves, 0, true), payload);
    expect(() => decodeArtifact(moves)).toThrow(ArtifactError);
  });

  it("is not in version 1, which is read as before", () => {
    const now = encodeArtifact(artifact(payload));
    const length = new DataView(now.buffer).getUint32(FIELD.headerLength, true);
    const [start, end] = [nativeHeaderEnd(1), nativeHeaderEnd(1) + length];
    const sections = now.subarray(Math.ceil(end / 64) * 64);
    const before = new Uint8Array(Math.ceil((32 + length) / 64) * 64 + sections.length);
    before.set(now.subarray(0, 28));
    before.set(now.subarray(start, end), 32);
    before.set(sections, before.length - sections.length);
    const fields = new DataView(before.buffer);
    fields.setUint32(FIELD.version, 1, true);
    fields.setBigUint64(FIELD.totalLength, BigInt(before.length), true);
    fields.setUint32(FIELD.checksum, checksumOf(before), true);
    expect(decodeArtifact(before)).toEqual(decodeArtifact(now));
  });
});

describe("decodeArtifact", () => {
  const whole = encodeArtifact(artifact({ code: Uint8Array.of(1, 2, 3), grid: [1, -0] }));

  it("refuses every truncation", () => {
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeArtifact(whole.subarray(0, length))).toThrow(ArtifactError);
    }
    expect(() => decodeArtifact(whole.subarray(0, 40))).toThrow("length of an artifact in bytes: expected");
    expect(() => decodeArtifact(new Uint8Array([...whole, 0]))).toThrow(ArtifactError);
  });

  it("refuses every flipped bit", () => {
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = whole.slice();
      damaged[bit >>> 3]! ^= 1 << (bit & 7);
      expect(() => decodeArtifact(damaged)).toThrow(ArtifactError);
    }
  });

  it.each([
    ["other bytes", new Uint8Array(64), "artifact: expected a container that starts with STOWAGE, got 64 bytes"],
    ["no bytes", new Uint8Array(0), "artifact: expected a container that starts with STOWAGE, got 0 bytes"],
    [
      "another version of the container",
      resealed((_, fields) => fields.setUint32(FIELD.version, 3, true)),
      "version of an artifact: expected 1 to 2, got 3",
    ],
    [
      "a header that ends beyond the whole",
      resealed((_, fields) => fields.setUint32(FIELD.headerLength, 1e6, true)),
      "header of an artifact: expected to end within",
    ],
    ["a header that is no JSON", withHeader('{"backend"', '["backend"'), "header of an artifact: expected JSON"],
    ["a header without a key", withHeader('"key":', '"kay":'), "header of an artifact: expected a valid key"],
    [
      "a layout that is not there",
      withHeader('"moves":[[0,1]]', '"moves":[[0,7]]'),
      "layout of an artifact: expected one of 2",
    ],
    [
      "a table that is not there",
      withHeader('"nodes":{"$table":0}', '"nodes":{"$table":9}'),
      "data of an artifact: expected a table",
    ],
    [
      "a table of another type",
      withHeader('"float64"', '"bigint8"'),
      "section 0 of an artifact: expected a table within",
    ],
    [
      "nodes that are no doubles",
      withHeader('"float64"', '"uint8"  '),
      "layouts of an artifact: expected a valid nodes",
    ],
    [
      "a section beyond the whole",
      withHeader('"length":3}', '"length":4}', Uint8Array.of(1, 2, 3)),
      /^section \d of an artifact: expected a table within \d+ bytes, got 4 bytes of uint8 at \d+$/,
    ],
    [
      "conditions of no memory kind",
      withHeader('"sourceKind":"host"', '"sourceKind":"hull"'),
      "expected a valid sourceKind",
    ],
    [
      "a number that is none",
      withHeader('"$number":"NaN"', '"$number":"Non"', NaN),
      "data of an artifact: expected a table, a number",
    ],
    [
      "a name that encodeData never writes",
      withHeader('"$$a":1', '"$aa":1', { $a: 1 }),
      "data of an artifact: expected a table",
    ],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => decodeArtifact(bytes)).toThrow(message);
    expect(() => decodeArtifact(bytes)).toThrow(ArtifactError);
  });

  it("refuses rows of nodes that make no layout, and says which", () => {
    const container = resealed((bytes) => {
      const start =
        Math.ceil((nativeHeaderEnd(1) + new DataView(bytes.buffer).getUint32(FIELD.headerLength, true)) / 64) * 64;
      new DataView(bytes.buffer).setFloat64(start, 9, true);
    });
    expect(() => decodeArtifact(container)).toThrow(
      /^layouts of an artifact: nodes\[0\]: kind of a node: expected a code/,
    );
  });
});
