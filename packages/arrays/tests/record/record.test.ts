import { boundsOf, DatatypeError } from "@stowage/ir";
import { expect, it } from "vitest";
import { datatypeOf, record } from "../../src/index.js";

const Inner = record({ flag: "bool", weight: "f32" });
const Atom = record({ tag: "u8", position: ["f64", 3], inner: Inner, id: "i64", kind: "i16" });

it("has C's offsets and size", () => {
  // struct { uint8_t tag; double position[3]; struct { bool flag; float weight; } inner; int64_t id; int16_t kind; }
  expect(Object.values(Atom.fields).map(({ offsetBytes }) => offsetBytes)).toEqual([0, 8, 32, 40, 48]);
  expect([Atom.sizeBytes, Atom.alignmentBytes]).toEqual([56, 8]);
  expect(boundsOf(Atom.datatype)).toMatchObject({ sizeBytes: 1 + 24 + 5 + 8 + 2, lowerBoundBytes: 0, extentBytes: 56 });
});

it("reads and writes memory in place, whatever the origin", () => {
  const bytes = new Uint8Array(8 + 3 * Atom.sizeBytes + 5);
  const atoms = Atom.over(bytes, 8);
  expect(atoms.length).toBe(3);
  const atom = atoms.at(1);
  atom.id = -5n;
  atom.kind = -300;
  atom.inner.flag = true;
  atom.inner.weight = 0.25;
  atom.position[2] = 7.5;
  const view = new DataView(bytes.buffer, 8 + Atom.sizeBytes);
  expect([view.getBigInt64(40, true), view.getInt16(48, true), view.getUint8(32)]).toEqual([-5n, -300, 1]);
  expect([view.getFloat32(36, true), view.getFloat64(24, true)]).toEqual([0.25, 7.5]);
  expect({ ...atoms.at(1) }).toMatchObject({ id: -5n, kind: -300, tag: 0 });
});

it("gives a field of all records as a strided array", () => {
  const atoms = Atom.over(new ArrayBuffer(10 * Atom.sizeBytes));
  const column = atoms.column("position");
  expect(column).toMatchObject({ shape: [10], stridesBytes: [56], offsetBytes: 8 });
  expect(boundsOf(datatypeOf(column)).sizeBytes).toBe(240);
});

it("refuses in one line what cannot be", () => {
  expect(() => record({})).toThrow("fields of a record: expected one or more, got none");
  expect(() => Inner.over(new Uint8Array(4), 5)).toThrow("origin of records: expected a byte within [0, 4], got 5");
  expect(() => Inner.over(new Uint8Array(16)).at(2)).toThrow("record: expected one of 2, got 2");
  expect(() => Inner.over(new Uint8Array(16)).column("none" as never)).toThrow(
    'field of a record: expected one of flag, weight, got "none"',
  );
  const shifted = Atom.over(new Uint8Array(64), 1).at(0);
  expect(() => shifted.position).toThrow("array position of a record: expected a byte offset that 8 divides, got 9");
});

it("refuses values that a field does not hold, and fields that there are not", () => {
  const Sample = record({ byte: "u8", number: "i32", wide: "i64", real: "f32" });
  const sample = Sample.over(new ArrayBuffer(Sample.sizeBytes)).at(0);
  expect(() => (sample.number = 2 ** 40)).toThrow(
    "field number of a record: expected an integer from -2147483648 to 2147483647, got 1099511627776",
  );
  expect(() => (sample.number = 0.5)).toThrow("got 0.5");
  expect(() => (sample.byte = -1)).toThrow("field byte of a record: expected an integer from 0 to 255, got -1");
  expect(() => (sample.wide = 2n ** 63n)).toThrow(DatatypeError);
  sample.number = -(2 ** 31);
  sample.wide = -(2n ** 63n);
  sample.real = 0.5;
  expect({ ...sample }).toEqual({ byte: 0, number: -(2 ** 31), wide: -(2n ** 63n), real: 0.5 });
  const untyped = sample as unknown as Record<string, unknown>;
  const strange = 'field of a record: expected one of byte, number, wide, real, got "nunber"';
  expect(() => untyped["nunber"]).toThrow(strange);
  expect(() => (untyped["nunber"] = 1)).toThrow(strange);
  expect(untyped["then"]).toBe(undefined);
  const Real = record({ real: "f32" });
  expect(JSON.stringify(Real.over(Float32Array.of(0.5)).at(0))).toBe('{"real":0.5}');
});
