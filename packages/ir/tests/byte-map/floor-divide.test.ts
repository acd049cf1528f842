import fc from "fast-check";
import { expect, it } from "vitest";
import { floorDivide } from "../../src/byte-map/floor-divide.js";

const agrees = (a: number, b: number): void => {
  expect(BigInt(floorDivide(a, b))).toBe(BigInt(a) / BigInt(b));
};

it("divides safe integers exactly, as big integers do", () => {
  const natural = fc.maxSafeNat();
  fc.assert(
    fc.property(natural, natural, (a, b) => agrees(a, Math.max(1, b))),
    { numRuns: 5000 },
  );
});

it("divides exactly next to multiples, where a quotient that rounds up would be one too large", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 2 ** 27 }), (near, b) => {
      const multiple = near - (near % b);
      agrees(Math.max(0, multiple - 1), b);
      agrees(multiple, b);
    }),
    { numRuns: 5000 },
  );
  for (const b of [1, 2, 3, 5, 7, 11, 2 ** 26 + 1, 94906267]) agrees(Number.MAX_SAFE_INTEGER, b);
});
