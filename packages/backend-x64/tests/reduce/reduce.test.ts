import {
  conditions,
  ELEMENT_NAMES,
  ELEMENTS,
  hostMemory,
  isDefinedFor,
  OPERATION_NAMES,
  reduceMove,
  type Backend,
  type Move,
} from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { canonicalise, lower, predefined, resized, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { X64Backend } from "../../src/index.js";

const BYTES = predefined("MPI_BYTE");

/** What a backend leaves of `there` after `count` elements of `arriving`. */
function reduced(backend: Backend, move: Move, arriving: Uint8Array, there: Uint8Array, count: number): Uint8Array {
  const target = there.slice();
  using kernel = backend.load(backend.compile([move], conditions()));
  using plan = kernel.bind([
    {
      source: { memory: hostMemory(arriving), originBytes: 0 },
      target: { memory: hostMemory(target), originBytes: 0 },
      count,
      first: 0,
      length: arriving.length,
    },
  ]);
  plan.run();
  return target;
}

/** Longs, shorts and odd ends of runs: of every vector loop some, and of elements between them. */
const COUNTS = [95];

describe.each(["sse2", "avx2"] as const)("reductions at %s", (level) => {
  test("give what cpu gives, for every operation and element, in place and through the buffer", () => {
    const [x64, cpu] = [new X64Backend({ level }), new CpuBackend()];
    for (const op of OPERATION_NAMES) {
      for (const element of ELEMENT_NAMES.filter((each) => isDefinedFor(op, each))) {
        const { sizeBytes, kind } = ELEMENTS[element];
        const run = vector(1, sizeBytes, 1, BYTES);
        for (const type of [run, resized(0, 3 * sizeBytes, run)]) {
          const move = reduceMove(canonicalise(lower(type)), { op, element });
          for (const count of COUNTS) {
            const spread = type === run ? 1 : 3;
            // Bytes of 0 are common, so that logical operations meet them; exponents of numbers stay moderate.
            const byte = (i: number, seed: number) => {
              const mixed = Math.imul(i + seed, 0x9e3779b1) >>> 20;
              if (kind === "float" || kind === "complex") return (i & 3) === 3 ? 0x40 : mixed & 0x7f;
              return mixed % 3 === 0 ? 0 : mixed & 255;
            };
            const arriving = Uint8Array.from({ length: count * sizeBytes }, (_, i) => byte(i, 7));
            const there = Uint8Array.from({ length: spread * count * sizeBytes }, (_, i) => byte(i, 1009));
            const [got, expected] = [x64, cpu].map((each) => reduced(each, move, arriving, there, count).join());
            if (got !== expected) expect(`${op} ${element} ${count}: ${got}`).toBe(expected);
          }
        }
      }
    }
  });

  test("let no NaN be a maximum or minimum, and displace none, nor a zero by one of the other sign", () => {
    for (const op of ["MPI_MAX", "MPI_MIN"] as const) {
      const move = reduceMove(canonicalise(lower(predefined("MPI_DOUBLE"))), { op, element: "float64" });
      const arriving = new Uint8Array(Float64Array.of(NaN, 1, 0, -0, NaN).buffer);
      const there = new Uint8Array(Float64Array.of(1, NaN, -0, 0, NaN).buffer);
      expect(reduced(new X64Backend({ level }), move, arriving, there, 5)).toEqual(there);
    }
  });

  test("of NaNs and opposite infinities are NaNs", () => {
    const move = reduceMove(canonicalise(lower(predefined("MPI_FLOAT"))), { op: "MPI_SUM", element: "float32" });
    const arriving = new Uint8Array(Float32Array.of(NaN, 1, Infinity).buffer);
    const there = new Uint8Array(Float32Array.of(1, NaN, -Infinity).buffer);
    const sums = new Float32Array(reduced(new X64Backend({ level }), move, arriving, there, 3).buffer);
    expect([...sums]).toEqual([NaN, NaN, NaN]);
  });
});

test("elements that share bytes within one datatype are refused, with a reason", () => {
  const twice = lower(vector(2, 1, 0, predefined("MPI_INT")));
  const move = reduceMove(twice, { op: "MPI_SUM", element: "int32" });
  expect(new X64Backend().supports([move], conditions())).toMatchObject({
    ok: false,
    reason: "it combines no elements whose runs share bytes",
  });
});
