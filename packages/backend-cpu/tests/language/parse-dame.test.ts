import { describe, expect, test } from "vitest";
import { DameError, parseDame, printDame } from "../../src/index.js";
import { FIGURE_6, FIGURE_8 } from "./figures.js";

const kinds = (text: string): string[] => parseDame(text).primitives.map(({ kind }) => kind);

function faultOf(text: string): string {
  try {
    parseDame(text);
  } catch (error) {
    if (error instanceof DameError) return error.message;
  }
  throw new Error("expected a DameError");
}

describe("the figures of the paper", () => {
  test("Figure 6: the transpose of a matrix, comments and all", () => {
    expect(kinds(FIGURE_6)).toEqual(["EXIT", "BLOCKINDEX1", "VECTORFINAL", "CONTIGFINAL", "BOTTOM"]);
    expect(parseDame(FIGURE_6).primitives[1]).toEqual({
      kind: "BLOCKINDEX1",
      count: 3,
      blocklength: 1,
      displacementsBytes: Int32Array.of(0, 4, 8),
      sizeBytes: 16,
      extentBytes: 40,
    });
  });

  test("Figure 8: one subprogram for three members, its RETURNTO naming the STRUCT's line", () => {
    const [, struct, returnTo] = parseDame(FIGURE_8).primitives;
    expect(struct).toMatchObject({ kind: "STRUCT", count: 3, subprograms: Int32Array.of(2, 2, 2) });
    expect(returnTo).toEqual({ kind: "RETURNTO", struct: 1 });
  });
});

describe("the grammar of Figure 5", () => {
  test.each(["CONTIG(3,4,8) CONTIGFINAL(4)", "VECTOR(3,2,40,4,8) CONTIGCHILD CONTIGFINAL(4)"])("takes %s", (type) => {
    expect(kinds(`EXIT ${type} BOTTOM`).at(-1)).toBe("BOTTOM");
  });

  test("takes every primitive there is", () => {
    const text = `
      EXIT
      STRUCT(5,[1,2,1,1,1],[0,8,16,24,32],[24,8,6,12,40],[24,16,6,12,40])
        RETURNTO(3) VECTOR(3,1,40,8,16) CONTIGCHILD VECTORFINAL(2,1,8,4,4) CONTIGFINAL(4) BOTTOM
        RETURNTO(3) CONTIGCHILD VECTOR1(2,1,8,4,4) CONTIGFINAL(4) BOTTOM
        RETURNTO(3) INDEXFINAL(2,[1,2],[0,9],2,2) CONTIGFINAL(2) BOTTOM
        RETURNTO(3) INDEX(2,[1,2],[0,9],4,8) CONTIGCHILD BLOCKINDEXFINAL(2,1,[0,4],2,2) CONTIGFINAL(2) BOTTOM
        RETURNTO(3)
          BLOCKINDEX(1,5,[7],8,16) CONTIGCHILD BLOCKINDEX1(2,1,[8,0],4,4) CONTIG(2,2,3) CONTIGFINAL(2)
        BOTTOM
      BOTTOM`;
    expect(new Set(kinds(text)).size).toBe(15);
    expect(printDame(parseDame(printDame(parseDame(text))))).toBe(printDame(parseDame(text)));
  });

  test("takes numbers to the safe integers' end, negative ones too", () => {
    const [, vector] = parseDame("EXIT VECTORFINAL(2,1,-9007199254740991,1,1) CONTIGFINAL(1) BOTTOM").primitives;
    expect(vector).toMatchObject({ strideBytes: -(2 ** 53 - 1) });
  });

  test("takes 10,000 loops and 10,000 structs inside one another", () => {
    const loops = `EXIT ${"CONTIG(1,4,4)\n".repeat(10_000)} CONTIGFINAL(4) BOTTOM`;
    expect(parseDame(loops).primitives.length).toBe(10_003);
    const structs = Array.from({ length: 10_000 }, (_, i) => `STRUCT(1,[1],[0],[4],[4])\nRETURNTO(${2 * i + 2})`);
    const nested = `EXIT\n${structs.join("\n")}\nCONTIGFINAL(4)\n${"BOTTOM\n".repeat(10_001)}`;
    expect(parseDame(nested).primitives.length).toBe(30_003);
    expect(parseDame(printDame(parseDame(nested)))).toEqual(parseDame(nested));
  });

  test("reads a table of a million entries", () => {
    const table = Array.from({ length: 1_000_000 }, (_, i) => i * 8).join(",");
    const [, index] = parseDame(`EXIT BLOCKINDEXFINAL(1000000,1,[${table}],4,4) CONTIGFINAL(4) BOTTOM`).primitives;
    expect(index).toMatchObject({ count: 1_000_000 });
  });
});

test.each([
  ["", "line 1, column 1: expected EXIT, got the end of the text"],
  ["BOTTOM", "line 1, column 1: expected EXIT, got BOTTOM"],
  ["EXIT\n  FOO(3)", "line 2, column 3: expected the name of a primitive, got FOO"],
  ["EXIT 12", "line 1, column 6: expected the name of a primitive, got 12"],
  ["EXIT CONTIGFINAL 4", 'line 1, column 18: expected "(", got 4'],
  ["EXIT CONTIGFINAL(x)", "line 1, column 18: expected lengthBytes, an integer, got x"],
  ["EXIT CONTIGFINAL(4", 'line 1, column 19: expected ")", got the end of the text'],
  ["EXIT CONTIGFINAL(4) # end", "line 1, column 26: expected BOTTOM, got the end of the text"],
  ["EXIT CONTIGFINAL(4) BOTTOM\nBOTTOM", "line 2, column 1: expected the end of the program, got BOTTOM"],
  ["EXIT VECTORFINAL(2,1,8,4,4) BOTTOM", "line 1, column 29: expected CONTIGFINAL, got BOTTOM"],
  ["EXIT VECTOR(2,2,8,4,4) CONTIGFINAL(4)", "line 1, column 24: expected CONTIGCHILD, got CONTIGFINAL"],
  ["EXIT VECTOR1(2,1,8,4)", 'line 1, column 21: expected ",", got ")"'],
  ["EXIT INDEX(1,2", "line 1, column 14: expected blocklengths, a list in brackets, got 2"],
  ["EXIT INDEX(1,[2 3]", 'line 1, column 17: expected ",", got 3'],
  ["EXIT INDEX(1,[2,]", 'line 1, column 17: expected an integer of blocklengths, got "]"'],
  [
    "EXIT CONTIGFINAL(9007199254740993)",
    "line 1, column 18: expected an integer within ±(2^53 - 1), got 9007199254740993",
  ],
  ["EXIT\nCONTIGFINAL(-4)\nBOTTOM", "line 2, column 1: lengthBytes: expected 0 or more, got -4"],
  ["EXIT\nCONTIG(2,8,8)\nCONTIGFINAL(4) BOTTOM", "line 2, column 1: sizeBytes: expected 4, the inner type's, got 8"],
  [
    "EXIT\nSTRUCT(1,[1],[0],[4],[4])\nRETURNTO(3)",
    "line 3, column 1: expected RETURNTO(2) or BOTTOM, got RETURNTO of a line without a STRUCT",
  ],
  [
    "EXIT\nSTRUCT(2,[1,1],[0,4],[4,4],[4,4])\nRETURNTO(2) CONTIGFINAL(4) BOTTOM BOTTOM",
    "line 2, column 1: expected 2 subprograms under STRUCT, got 1",
  ],
  [
    "EXIT\nSTRUCT(1,[1],[0],[4],[4],[9])\nRETURNTO(2) CONTIGFINAL(4) BOTTOM BOTTOM",
    "line 2, column 1: expected the lines of RETURNTOs, got line 9, on which there is none",
  ],
  ["EXIT ☂", 'line 1, column 6: expected the name of a primitive, got "☂"'],
])("refuses %j, naming the place", (text, message) => {
  expect(faultOf(text)).toBe(message);
});
