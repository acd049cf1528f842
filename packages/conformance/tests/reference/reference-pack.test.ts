import { contiguous, darray, hvector, predefined, resized, subarray } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { referencePack, referenceTypeMap, referenceUnpack } from "../../src/index.js";

const byte = predefined("MPI_BYTE");
const offsetsOf = (...entries: Parameters<typeof referenceTypeMap>): number[] =>
  [...referenceTypeMap(...entries)].map(({ offsetBytes }) => offsetBytes);

describe("referenceTypeMap", () => {
  test("walks a subarray in its own order", () => {
    const box = { sizes: [3, 4], subsizes: [2, 2], starts: [1, 1], child: byte };
    expect(offsetsOf(subarray({ ...box, order: "C" }))).toEqual([5, 6, 9, 10]);
    expect(offsetsOf(subarray({ ...box, order: "F" }))).toEqual([4, 5, 7, 8]);
  });

  test("deals a cyclic array out in rounds", () => {
    const share = { size: 2, rank: 1, gsizes: [7], dargs: [2], psizes: [2], order: "C", child: byte } as const;
    expect(offsetsOf(darray({ ...share, distribs: ["cyclic"] }))).toEqual([2, 3, 6]);
  });

  test("follows negative strides and extents", () => {
    expect(offsetsOf(hvector(3, 1, -2, byte))).toEqual([0, -2, -4]);
    expect(offsetsOf(contiguous(3, resized(0, -4, byte)))).toEqual([0, -4, -8]);
  });

  test("yields both elements of a pair, without the gap", () => {
    expect([...referenceTypeMap(predefined("MPI_SHORT_INT"))]).toEqual([
      { offsetBytes: 0, lengthBytes: 2 },
      { offsetBytes: 4, lengthBytes: 4 },
    ]);
  });
});

describe("referencePack and referenceUnpack", () => {
  const everyOther = resized(0, 6, hvector(3, 1, 2, byte));
  const bytes = Uint8Array.from({ length: 12 }, (_, i) => i);

  test("pack all elements, or a range of their stream", () => {
    expect([...referencePack(everyOther, { bytes, count: 2 })]).toEqual([0, 2, 4, 6, 8, 10]);
    expect([...referencePack(everyOther, { bytes, count: 2, first: 2, length: 3 })]).toEqual([4, 6, 8]);
    expect([...referencePack(everyOther, { bytes, originBytes: 1 })]).toEqual([1, 3, 5]);
  });

  test("unpack touches the bytes of the type map alone", () => {
    const target = new Uint8Array(12);
    referenceUnpack(everyOther, { bytes: target, count: 2, first: 1, length: 2 }, Uint8Array.of(8, 9));
    expect([...target]).toEqual([0, 0, 8, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("refuse a buffer that is too short", () => {
    expect(() => referencePack(everyOther, { bytes: new Uint8Array(4) })).toThrow(
      "entry of a type map: expected bytes within [0, 4), got [4, 5)",
    );
  });
});
