import fc from "fast-check";
import { expect, it } from "vitest";
import { intTable, readWide, wideTable } from "../../src/native/tables.js";

it("64-bit tables hold every safe integer exactly", () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (values) => {
      const words = new BigInt64Array(wideTable(values).buffer);
      expect([...words]).toEqual(values.map(BigInt));
      expect([...readWide(words)]).toEqual(values.map((value) => value + 0));
    }),
  );
});

it("32-bit tables are passed on as they are, without a copy", () => {
  const table = Int32Array.of(1, -2, 3);
  expect(intTable(table)).toBe(table);
  expect([...intTable([4, -5])]).toEqual([4, -5]);
});
