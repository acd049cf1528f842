import { layout, stream, uniformBlocks, dense } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactError, conditions, copyMove, decodeArtifact, encodeArtifact, packMove } from "../../src/index.js";
import type { Artifact, Data } from "../../src/index.js";
import { checksumOf, FIELD } from "../../src/container/format.js";
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
      resealed((_, fields) => fields.setUint32(FIELD.version, 2, true)),
      "version of an artifact: expected 1, got 2",
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
      const start = Math.ceil((32 + new DataView(bytes.buffer).getUint32(FIELD.headerLength, true)) / 64) * 64;
      new DataView(bytes.buffer).setFloat64(start, 9, true);
    });
    expect(() => decodeArtifact(container)).toThrow(
      /^layouts of an artifact: nodes\[0\]: kind of a node: expected a code/,
    );
  });
});
