import { boundsOf, forEachRun, lower, predefined, type Datatype } from "@stowage/ir";
import fc from "fast-check";
import ndarray from "ndarray";
import { describe, expect, it } from "vitest";
import { box, datatypeOf, elementType, fromArrayInterface, fromArrow, fromNdarray, spanOf, stridedArray, transposed, type StridedArray } from "../src/index.js"; // prettier-ignore

const SEED = Number(process.env["STOWAGE_SEED"] ?? 11);

/** The offsets of an array's elements in its data, as pack meets them. */
function offsets(array: StridedArray): readonly number[] {
  const layout = lower(datatypeOf(array));
  const { sizeBytes } = boundsOf(array.element);
  const found: number[] = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    for (let at = 0; at < lengthBytes; at += sizeBytes) found.push(array.offsetBytes + offsetBytes + at);
  });
  return found;
}

/** Byte offsets of all elements, found by indices; the last index runs fastest. */
function expected({ shape, stridesBytes, offsetBytes }: StridedArray): readonly number[] {
  return shape.reduce<readonly number[]>(
    (all, length, i) => all.flatMap((at) => Array.from({ length }, (_, k) => at + k * (stridesBytes[i] as number))),
    [offsetBytes],
  );
}

const anyArray = fc
  .array(fc.record({ length: fc.nat(4), stride: fc.integer({ min: -9, max: 9 }) }), { maxLength: 4 })
  .map((dimensions) =>
    stridedArray({
      element: predefined("MPI_INT"),
      shape: dimensions.map(({ length }) => length),
      stridesBytes: dimensions.map(({ stride }) => stride * 4),
      offsetBytes: 1024,
      data: new Int32Array(1024),
    }),
  );

describe("a strided array", () => {
  it("packs its elements in the order of their indices, whatever its strides", () => {
    const property = fc.property(anyArray, (array) => {
      expect(offsets(array)).toEqual(expected(array));
    });
    fc.assert(property, { seed: SEED, numRuns: 200 });
  });

  it("transposed, packs the last index slowest", () => {
    const property = fc.property(anyArray, (array) => {
      expect([...offsets(transposed(array))].sort((a, b) => a - b)).toEqual([...expected(array)].sort((a, b) => a - b));
      expect(transposed(transposed(array))).toEqual(array);
    });
    fc.assert(property, { seed: SEED, numRuns: 50 });
    const matrix = stridedArray({
      element: predefined("MPI_BYTE"),
      shape: [2, 3],
      stridesBytes: [3, 1],
      offsetBytes: 0,
    });
    expect(offsets(transposed(matrix))).toEqual([0, 3, 1, 4, 2, 5]);
  });

  it("gives boxes that are the same elements", () => {
    const data = new Float64Array(60);
    const matrix = fromNdarray(ndarray(data, [6, 10]));
    expect(offsets(box(matrix, { start: [1, 2], shape: [2, 3] }))).toEqual([96, 104, 112, 176, 184, 192]);
    expect(offsets(box(matrix, { start: [5, 9], shape: [2, 2], step: [-5, -9] }))).toEqual([472, 400, 72, 0]);
  });
});

describe("what libraries hold", () => {
  it("is read as they read it: scijs' ndarrays, with views of views", () => {
    const data = Float32Array.from({ length: 120 }, (_, i) => i);
    const view = ndarray(data, [4, 5, 6]).hi(3, 4, 6).lo(1, 1, 2).step(1, -1, 2).transpose(2, 0, 1);
    const [a, b, c] = view.shape as [number, number, number];
    const values: number[] = [];
    for (let i = 0; i < a; i++) for (let j = 0; j < b; j++) for (let k = 0; k < c; k++) values.push(view.get(i, j, k));
    expect(offsets(fromNdarray(view)).map((offsetBytes) => data[offsetBytes / 4])).toEqual(values);
  });

  it("has strides in elements under stdlib's name, in bytes under NumPy's, and none where it is dense", () => {
    const data = new Uint8Array(96);
    const stdlib = fromNdarray({ data, shape: [2, 3], strides: [-3, 1], offset: 3, dtype: "complex64" });
    expect(offsets(stdlib)).toEqual([24, 32, 40, 0, 8, 16]);
    expect(offsets(fromArrayInterface({ shape: [2, 2], typestr: "<i2", strides: [10, 2], data }))).toEqual([
      0, 2, 10, 12,
    ]);
    expect(offsets(fromArrayInterface({ shape: [2, 2], typestr: "<i2", strides: null, data }))).toEqual([0, 2, 4, 6]);
    expect(fromArrayInterface({ shape: [1], typestr: "<f8", data: [140_000, false] }).data).toBeUndefined();
  });

  it("may be structured: NumPy's fields, arrays and padding", () => {
    const descr = [["x", "<f8"], ["ids", "<i4", [2, 3]], ["", "|V4"], ["in", [["a", "|u1"], ["b", "<f4"]]]] as const; // prettier-ignore
    const array = fromArrayInterface({ shape: [2], typestr: "|V41", descr, data: new Uint8Array(82) });
    expect(boundsOf(array.element)).toMatchObject({ sizeBytes: 37, extentBytes: 41, lowerBoundBytes: 0 });
    expect(runs(array.element)).toEqual([[0, 32], [36, 5]]); // prettier-ignore
  });

  it("may be Arrow's: numbers, and lists of a fixed size", () => {
    const values = Float64Array.from({ length: 12 }, (_, i) => i).subarray(2, 8);
    const column = { type: { typeId: 3 }, length: 6, values, stride: 1, children: [] };
    expect(spanOf(fromArrow(column)).memory).toMatchObject({ sizeBytes: 48 });
    const lists = { type: { typeId: 16, listSize: 3 }, length: 2, children: [column] };
    expect(fromArrow(lists)).toMatchObject({ shape: [2, 3], stridesBytes: [24, 8] });
    const binary = { type: { typeId: 15 }, length: 2, values: new Uint8Array(64), stride: 3 };
    expect(fromArrow(binary)).toMatchObject({ shape: [2], stridesBytes: [3] });
    const bits = { type: { typeId: 6, toString: () => "Bool" }, length: 2, values: new Uint8Array(64) };
    for (const refused of [bits, { ...column, dictionary: {}, type: bits.type }]) {
      expect(() => fromArrow(refused)).toThrow("Arrow column: expected values of one width, or lists of a fixed size of them, got Bool"); // prettier-ignore
    }
  });

  it("names element types by many names", () => {
    for (const name of ["f64", "float64", "<f8", "=f8"]) expect(elementType(name)).toEqual(predefined("MPI_DOUBLE"));
    expect(boundsOf(elementType("|S12")).sizeBytes).toBe(12);
    expect(elementType("|b1")).toEqual(predefined("MPI_C_BOOL"));
    expect(() => elementType(">f8")).toThrow("byte order of an array's dtype: expected this machine's, got >f8");
    for (const name of ["generic", "f2", "", "constructor"]) expect(() => elementType(name)).toThrow(/^dtype of an array: expected one of i8, /); // prettier-ignore
  });
});

const runs = (datatype: Datatype): readonly (readonly [number, number])[] => {
  const layout = lower(datatype);
  const found: [number, number][] = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === offsetBytes) last[1] += lengthBytes;
    else found.push([offsetBytes, lengthBytes]);
  });
  return found;
};

describe("what cannot be is refused in one line", () => {
  const good = { element: predefined("MPI_INT"), shape: [2, 2], stridesBytes: [8, 4], offsetBytes: 0 };

  it.each([
    [{ ...good, shape: [2, -1] }, "shape of an array: expected integers from 0 to 2^53 - 1, got -1"],
    [{ ...good, shape: [2, 2, 2] }, "strides of an array: expected 3, one a dimension, got 2"],
    [{ ...good, stridesBytes: [8, 0.5] }, "strides of an array: expected integers within ±(2^53 - 1), got 0.5"],
    [{ ...good, offsetBytes: NaN }, "offset of an array: expected integers within ±(2^53 - 1), got NaN"],
    [
      { ...good, data: new Uint8Array(15) },
      "elements of an array of shape [2, 2]: expected bytes within [0, 15), got [0, 16)",
    ],
  ])("%#", (array, message) => expect(() => stridedArray(array)).toThrow(message));

  it("a dtype that contradicts its data, half-precision floats, masks", () => {
    const made = (dtype: string, data: ArrayBufferView) => () => fromNdarray({ data, shape: [2], dtype });
    expect(made("float64", new Float32Array(4))).toThrow(
      "dtype of an ndarray: expected one of the elements of its data, a Float32Array, got float64",
    );
    expect(made("int32", new Uint32Array(4))).toThrow("a Uint32Array, got int32");
    expect(made("complex64", new Float32Array(4))().shape).toEqual([2]);
    expect(made("float64", new Uint8Array(16))().shape).toEqual([2]);
    expect(made("float16", new Uint16Array(4))).toThrow(
      "dtype of an array: expected a type that MPI has, or uint16 for the words of half-precision floats, got float16",
    );
    expect(() => fromArrayInterface({ shape: [2], typestr: "<f2" })).toThrow("half-precision floats, got <f2");
    expect(() => fromArrayInterface({ shape: [2], typestr: "<f8", data: new Float32Array(4) })).toThrow(
      "typestr of an array: expected one of the elements of its data, a Float32Array, got <f8",
    );
    expect(() => fromArrayInterface({ shape: [2], typestr: "<f8", mask: { shape: [2] } })).toThrow(
      "mask of an array: expected none: all elements are moved, got an object",
    );
    expect(fromArrayInterface({ shape: [2], typestr: "<f8", mask: null }).shape).toEqual([2]);
  });

  it("boxes that leave their array, axes that are none, memory that is not here", () => {
    const array = stridedArray(good);
    expect(() => box(array, { start: [1, 0], shape: [2, 2] })).toThrow(
      "dimension 0 of a box: expected indices within [0, 2), got 2 from 1 on, every 1",
    );
    expect(() => box(array, { start: [0, 0, 0], shape: [1, 1, 1] })).toThrow("dimensions of a box: expected 2, got 3");
    expect(() => transposed(array, [0, 0])).toThrow("axes of an array: expected 0 to 1, each once, got [0, 0]");
    expect(() => spanOf(array)).toThrow("data of an array: expected memory that this process can see, got none");
  });
});
