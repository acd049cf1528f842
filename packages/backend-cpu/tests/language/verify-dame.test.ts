import { describe, expect, test } from "vitest";
import { dameProgram, DameError, verifyDame, type Primitive, type Struct, type Vector } from "../../src/index.js";

const EXIT: Primitive = { kind: "EXIT" };
const BOTTOM: Primitive = { kind: "BOTTOM" };
const run = (lengthBytes: number): Primitive => ({ kind: "CONTIGFINAL", lengthBytes });
const vector = (fields: Partial<Vector>): Primitive => ({
  kind: "VECTORFINAL",
  count: 2,
  blocklength: 1,
  strideBytes: 8,
  sizeBytes: 4,
  extentBytes: 4,
  ...fields,
});
const struct = (fields: Partial<Struct>): Primitive => ({
  kind: "STRUCT",
  count: 1,
  blocklengths: Int32Array.of(1),
  displacementsBytes: Int32Array.of(0),
  sizesBytes: Int32Array.of(4),
  extentsBytes: Int32Array.of(4),
  subprograms: Int32Array.of(2),
  ...fields,
});
const returnTo = (index: number): Primitive => ({ kind: "RETURNTO", struct: index });

const faultOf = (...primitives: Primitive[]): string => {
  try {
    verifyDame(dameProgram(primitives));
  } catch (error) {
    if (error instanceof DameError) return error.message;
  }
  return "none";
};

describe("every EXIT and RETURNTO has its BOTTOM", () => {
  test.each([
    [[EXIT, run(4)], "end of the program: expected BOTTOM, got nothing"],
    [[EXIT, run(4), BOTTOM, BOTTOM], "primitive 4 (BOTTOM): expected the end of the program, got BOTTOM"],
    [[EXIT, struct({}), returnTo(1), run(4), BOTTOM], "end of the program: expected RETURNTO or BOTTOM, got nothing"],
    [[EXIT, returnTo(1), run(4), BOTTOM], "primitive 2 (RETURNTO): expected a type, got RETURNTO"],
    [
      [EXIT, struct({}), returnTo(0), run(4), BOTTOM, BOTTOM],
      "primitive 3 (RETURNTO): expected RETURNTO or BOTTOM, got RETURNTO",
    ],
    [[EXIT, BOTTOM], "primitive 2 (BOTTOM): expected a type, got BOTTOM"],
  ])("%#", (primitives, message) => {
    expect(faultOf(...primitives)).toBe(message);
  });
});

describe("sizes, extents, tables and counts agree", () => {
  test.each([
    [vector({ blocklength: 2 }), 4, "length of its CONTIGFINAL: expected 8 bytes, got 4"],
    [vector({ blocklength: 2, extentBytes: 5 }), 8, "extentBytes: expected 4, the size, got 5"],
    [vector({ count: -1 }), 4, "count: expected 0 or more, got -1"],
    [vector({ count: 1.5 }), 4, "count: expected a safe integer, got 1.5"],
    [vector({ count: 2 ** 52 }), 4, "size: expected at most 2^53 - 1 bytes, got 18014398509481984"],
    [vector({ kind: "VECTOR1", blocklength: 2 }), 4, "blocklength: expected 1, got 2"],
  ])("%#", (primitive, lengthBytes, message) => {
    expect(faultOf(EXIT, primitive, run(lengthBytes), BOTTOM)).toBe(`primitive 2 (${primitive.kind}): ${message}`);
  });

  test("a bare block may have any extent, as Figure 6's inner type has", () => {
    expect(faultOf(EXIT, vector({ extentBytes: 40 }), run(4), BOTTOM)).toBe("none");
  });

  test("tables are as long as their counts, and blocklengths not negative", () => {
    const index = (blocklengths: number[], displacements: number[]): Primitive => ({
      kind: "INDEXFINAL",
      count: 2,
      blocklengths: Int32Array.from(blocklengths),
      displacementsBytes: Int32Array.from(displacements),
      sizeBytes: 1,
      extentBytes: 1,
    });
    expect(faultOf(EXIT, index([1, 1], [0]), run(1), BOTTOM)).toContain(
      "displacementsBytes: expected 2 entries, got 1",
    );
    expect(faultOf(EXIT, index([1], [0, 4]), run(1), BOTTOM)).toContain("blocklengths: expected 2 entries, got 1");
    expect(faultOf(EXIT, index([1, -3], [0, 4]), run(1), BOTTOM)).toContain(
      "blocklengths[1]: expected 0 or more, got -3",
    );
    expect(faultOf(EXIT, index([1, 0], [0, 4]), run(1), BOTTOM)).toBe("none");
  });
});

describe("members fit their subprograms", () => {
  const members = (fields: Parameters<typeof struct>[0]): string =>
    faultOf(EXIT, struct(fields), returnTo(1), run(4), BOTTOM, BOTTOM);

  test("one of its own", () => {
    expect(members({})).toBe("none");
  });

  test.each([
    [{ sizesBytes: Int32Array.of(8) }, "sizesBytes[0]: expected 4, the inner type's, got 8"],
    [{ sizesBytes: Int32Array.of(4, 4) }, "sizesBytes: expected 1 or 1 entries, got 2"],
    [{ subprograms: Int32Array.of() }, "subprograms: expected 1 entries, got 0"],
    [
      { subprograms: Int32Array.of(3) },
      "subprograms[0]: expected a RETURNTO whose subprogram ends before the one around, got 3",
    ],
    [{ blocklengths: Int32Array.of(2) }, "blocklengths[0]: expected 1 without a CONTIGCHILD, got 2"],
  ])("%#", (fields, message) => {
    expect(members(fields)).toBe(`primitive 2 (STRUCT): ${message}`);
  });

  test("a subprogram that comes back to itself is refused", () => {
    const inner = struct({ subprograms: Int32Array.of(2) });
    const message = faultOf(EXIT, struct({}), returnTo(1), inner, BOTTOM, BOTTOM);
    expect(message).toBe(
      "primitive 4 (STRUCT): subprograms[0]: expected a RETURNTO whose subprogram ends before the one around, got 2",
    );
  });

  test("members that share a counted subprogram share its extent", () => {
    const pair = struct({
      count: 2,
      blocklengths: Int32Array.of(1, 3),
      displacementsBytes: Int32Array.of(0, 64),
      extentsBytes: Int32Array.of(8, 16),
      subprograms: Int32Array.of(2, 2),
    });
    const message = faultOf(EXIT, pair, returnTo(1), { kind: "CONTIGCHILD" }, run(4), BOTTOM, BOTTOM);
    expect(message).toBe("primitive 2 (STRUCT): extentsBytes[1]: expected 8, as before, got 16");
  });
});
