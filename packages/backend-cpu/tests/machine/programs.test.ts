import { describe, expect, test } from "vitest";
import { copy, flattenDame, loadDame, pack, parseDame, startState, unpack } from "../../src/index.js";
import { FIGURE_6, FIGURE_8 } from "../language/figures.js";

const iota = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i);
const packed = (text: string, source: Int32Array, integers: number, extentBytes = 0): number[] => {
  const target = new Int32Array(integers);
  expect(pack(startState(loadDame(parseDame(text), extentBytes)), source, target)).toBe(integers * 4);
  return Array.from(target);
};

/** Rows of a matrix `width` integers wide, column by column. */
const columns = (rows: number, count: number, width: number): number[] =>
  Array.from({ length: rows * count }, (_, i) => (i % rows) * width + Math.floor(i / rows));

describe("the paper's transposes", () => {
  test.each([
    ["Figure 6", FIGURE_6],
    ["Figure 8", FIGURE_8],
  ])("%s packs the columns of its matrix", (_, text) => {
    expect(packed(text, iota(16), 12)).toEqual(columns(4, 3, 4));
  });

  test.each([FIGURE_6, FIGURE_8])("with the stride of Figure 2's matrix it transposes 4 x 3 integers", (text) => {
    const transpose = packed(text.replace("16,4,4", "12,4,4"), iota(12), 12);
    expect(transpose).toEqual([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
  });

  test("unpacking transposes back", () => {
    const loaded = loadDame(parseDame(FIGURE_8.replace("16,4,4", "12,4,4")), 48);
    const there = new Int32Array(12);
    const back = new Int32Array(12);
    pack(startState(loaded), iota(12), there);
    unpack(startState(loaded), there, back);
    expect(back).toEqual(iota(12));
  });
});

describe("primitives that only a text has", () => {
  test("copies of an INDEX that lie side by side are flattened to one run each", () => {
    const loaded = loadDame(parseDame("EXIT INDEX(3,[2,1,3],[0,40,80],8,8) CONTIGCHILD CONTIGFINAL(8) BOTTOM"), 104);
    const [plain, flat] = [new Int32Array(12), new Int32Array(12)];
    pack(startState(loaded), iota(26), plain);
    expect(Array.from(plain)).toEqual([0, 1, 2, 3, 10, 11, 20, 21, 22, 23, 24, 25]);
    pack(startState(flattenDame(loaded)), iota(26), flat);
    expect(flat).toEqual(plain);
  });

  test("CONTIG, VECTOR and BLOCKINDEX repeat a type by its extent", () => {
    expect(packed("EXIT CONTIG(3,4,8) CONTIGFINAL(4) BOTTOM", iota(8), 3)).toEqual([0, 2, 4]);
    expect(packed("EXIT VECTOR(2,3,32,4,8) CONTIGCHILD CONTIGFINAL(4) BOTTOM", iota(16), 6)).toEqual([
      0, 2, 4, 8, 10, 12,
    ]);
    const nested = "EXIT BLOCKINDEX(2,2,[40,0],8,16) CONTIGCHILD VECTORFINAL(2,1,8,4,4) CONTIGFINAL(4) BOTTOM";
    expect(packed(nested, iota(32), 8)).toEqual([10, 12, 14, 16, 0, 2, 4, 6]);
  });

  test("VECTORFINAL's blocks may hold several of its type", () => {
    expect(packed("EXIT VECTORFINAL(2,3,20,4,4) CONTIGFINAL(12) BOTTOM", iota(8), 6)).toEqual([0, 1, 2, 5, 6, 7]);
  });

  test("INDEX counts each block's copies, none too", () => {
    const text = "EXIT INDEX(4,[2,0,1,0],[16,4,0,8],8,12) CONTIGCHILD VECTORFINAL(2,1,8,4,4) CONTIGFINAL(4) BOTTOM";
    expect(packed(text, iota(16), 6)).toEqual([4, 6, 7, 9, 0, 2]);
  });

  test("members of a STRUCT that share a counted subprogram, each with copies of its own number", () => {
    const text = `EXIT
      STRUCT(3,[2,0,1],[0,64,32],[4],[8])
      RETURNTO(2) CONTIGCHILD CONTIGFINAL(4) BOTTOM
      BOTTOM`;
    expect(packed(text, iota(16), 3)).toEqual([0, 2, 8]);
  });

  test("types of no bytes are passed over", () => {
    const text = `EXIT
      STRUCT(4,[1,1,1,1],[0,4,8,12],[0,4,0,4],[0,4,0,4])
      RETURNTO(2) CONTIGFINAL(0) BOTTOM
      RETURNTO(2) CONTIGFINAL(4) BOTTOM
      RETURNTO(2) VECTORFINAL(0,1,8,4,4) CONTIGFINAL(4) BOTTOM
      RETURNTO(2) CONTIGFINAL(4) BOTTOM
      BOTTOM`;
    expect(packed(text, iota(8), 2)).toEqual([1, 3]);
    expect(packed("EXIT VECTOR(4,0,8,4,4) CONTIGCHILD CONTIGFINAL(4) BOTTOM", iota(8), 0)).toEqual([]);
  });
});

test("copying goes from program to program, as far as both reach", () => {
  const odd = startState(loadDame(parseDame("EXIT BLOCKINDEXFINAL(4,1,[4,12,20,28],4,4) CONTIGFINAL(4) BOTTOM"), 32));
  const pairs = startState(loadDame(parseDame("EXIT VECTORFINAL(3,2,12,4,4) CONTIGFINAL(8) BOTTOM"), 36));
  const target = new Int32Array(9).fill(-1);
  expect(copy(odd, pairs, iota(8), target)).toBe(16);
  expect(Array.from(target)).toEqual([1, 3, -1, 5, 7, -1, -1, -1, -1]);
  expect(copy(startState(odd.loaded), pairs, iota(8), target, 4)).toBe(4);
  expect(Array.from(target).slice(6)).toEqual([1, -1, -1]);
});
