import { describe, expect, test } from "vitest";
import { buildKernel, encodeParameters, print, SimulatedMemory, translate, type Value } from "../../src/index.js";

const OPERATIONS = {
  add: [(a: Value, b: Value) => a.addFloat(b), (a: number, b: number) => a + b],
  sub: [(a: Value, b: Value) => a.subFloat(b), (a: number, b: number) => a - b],
  mul: [(a: Value, b: Value) => a.mulFloat(b), (a: number, b: number) => a * b],
  lesser: [(a: Value, b: Value) => a.ltFloat(b).select(a, b), (a: number, b: number) => (a < b ? a : b)],
  greater: [(a: Value, b: Value) => a.gtFloat(b).select(a, b), (a: number, b: number) => (a > b ? a : b)],
} as const;

const NUMBERS = [0.1, -3.7e9, 1e-40, NaN, Infinity, -0, 5, 16777217];

function kernelOf(bits: 32 | 64, operation: (a: Value, b: Value) => Value) {
  return buildKernel("floats", { parameters: { a: "u64", b: "u64", c: "u64" } }, (k, { a, b, c }) => {
    const at = k.globalThread().mul(bits / 8);
    const [x, y] = [k.load("global", a.add(at), { bits }), k.load("global", b.add(at), { bits })];
    k.store("global", c.add(at), [operation(x, y)], { bits });
  });
}

describe.each([32, 64] as const)("arithmetic on floats of %i bits", (bits) => {
  test.each(Object.entries(OPERATIONS))(
    "%s rounds as JavaScript does, and prints as PTX has it",
    (_, [operation, expected]) => {
      const kernel = kernelOf(bits, operation);
      const memory = new SimulatedMemory({ capacityBytes: 2 ** 16 });
      const Floats = bits === 32 ? Float32Array : Float64Array;
      const left = Floats.from(NUMBERS.flatMap((a) => NUMBERS.map(() => a)));
      const right = Floats.from(NUMBERS.flatMap(() => NUMBERS));
      const [a, b, c] = [left, right, left].map(({ byteLength }) => memory.allocate(byteLength).address) as [
        bigint,
        bigint,
        bigint,
      ];
      memory.write(a, new Uint8Array(left.buffer));
      memory.write(b, new Uint8Array(right.buffer));
      const parameters = encodeParameters(kernel, { a, b, c });
      translate(kernel, {}).launch(memory, { grid: [1, 1, 1], block: [left.length, 1, 1], parameters });
      const got = new Floats(memory.read(c, left.byteLength).slice().buffer);
      expect([...got]).toEqual([...Floats.from([...left].map((x, i) => expected(x, right[i] as number)))]);
      expect(print(kernel, { arch: 75 })).toMatch(new RegExp(`(add\\.rn|sub\\.rn|mul\\.rn|setp\\.[lg]t)\\.f${bits} `));
    },
  );
});
