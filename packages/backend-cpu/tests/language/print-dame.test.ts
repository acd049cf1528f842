import * as fc from "fast-check";
import { sequence, dense, layout, stream } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import { expect, test } from "vitest";
import { compileDame, dameProgram, parseDame, printDame } from "../../src/index.js";
import { FIGURE_6, FIGURE_8 } from "./figures.js";

test("parsing what is printed gives the program again, for any layout", () => {
  fc.assert(
    fc.property(anyLayout(), (element) => {
      const program = compileDame(element);
      const text = printDame(program);
      const parsed = parseDame(text);
      expect(printDame(parsed)).toBe(text);
      expect(plain(parsed)).toEqual(plain(program));
    }),
  );
});

/** Tables by value: the text says nothing of the width in which an integer is held. */
const plain = ({ primitives }: ReturnType<typeof compileDame>): unknown =>
  primitives.map((primitive) =>
    Object.fromEntries(
      Object.entries(primitive).map(([name, value]) => [
        name,
        ArrayBuffer.isView(value) ? Array.from(value as Int32Array) : value,
      ]),
    ),
  );

test.each([FIGURE_6, FIGURE_8])("a figure survives the round trip", (figure) => {
  const program = parseDame(figure);
  expect(parseDame(printDame(program))).toEqual(program);
});

test("inner primitives stand further in, and a line is a primitive", () => {
  expect(printDame(parseDame(FIGURE_8))).toBe(
    [
      "EXIT",
      "  STRUCT(3,[1,1,1],[0,4,8],[16],[40])",
      "    RETURNTO(2)",
      "      VECTORFINAL(4,1,16,4,4)",
      "        CONTIGFINAL(4)",
      "    BOTTOM",
      "BOTTOM",
      "",
    ].join("\n"),
  );
});

test("a shared subprogram is named by its line", () => {
  const shared = stream(2, 8, dense(4));
  const root = sequence([
    { offsetBytes: 0, node: shared },
    { offsetBytes: 32, node: dense(8) },
    { offsetBytes: 64, node: shared },
  ]);
  const text = printDame(compileDame(layout(0, root, { lowerBoundBytes: 0, extentBytes: 80 })));
  expect(text).toContain("STRUCT(3,[1,1,1],[0,32,64],[8,8,8],[12,8,12],[3,7,3])");
  expect(printDame(parseDame(text))).toBe(text);
});

test("long tables can be shortened for reading", () => {
  const program = dameProgram([
    { kind: "EXIT" },
    {
      kind: "BLOCKINDEXFINAL",
      count: 4,
      blocklength: 1,
      displacementsBytes: Int32Array.of(0, 9, 18, 27),
      sizeBytes: 4,
      extentBytes: 4,
    },
    { kind: "CONTIGFINAL", lengthBytes: 4 },
    { kind: "BOTTOM" },
  ]);
  expect(printDame(program, { tableEntries: 2 })).toContain("BLOCKINDEXFINAL(4,1,[0,9,... 4 in all],4,4)");
  expect(printDame(program, { tableEntries: 4 })).toContain("[0,9,18,27]");
});
