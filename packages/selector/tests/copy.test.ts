import { BindingError } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import { contiguous, DatatypeError, hvector, lower, predefined, resized, struct, subarray, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { createEngine, NoBackendError } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const rows = (count: number, columns: number, pitch: number) => vector(count, columns, pitch, DOUBLE);
/** The matrix's elements, column by column. */
const columns = (count: number, of: number, pitch: number) => hvector(of, 1, 8, vector(count, 1, pitch, DOUBLE));
const counting = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i);

const x64 = new X64Backend();
const runs = x64.supports([], {
  sourceKind: "host",
  targetKind: "host",
  sourceAlignment: 1,
  targetAlignment: 1,
  count: "any",
  threads: 1,
}).ok;

describe.each([["cpu", new CpuBackend()] as const, ...(runs ? [["x64", x64] as const] : [])])(
  "a copy by %s",
  (name, backend) => {
    const BACKENDS = { backends: [backend] };

    test("transposes a part of one matrix into a part of another", () => {
      using engine = createEngine(BACKENDS);
      const [from, to] = [counting(12 * 10), new Float64Array(10 * 9).fill(-1)];
      engine.copy(from, columns(7, 10, 12), to, rows(10, 7, 9)).wait();
      for (let i = 0; i < 10; i++) {
        for (let j = 0; j < 9; j++) expect(to[i * 9 + j]).toBe(j < 7 ? j * 12 + i : -1);
      }
    });

    test("is committed once, for any count, range and plan", () => {
      using engine = createEngine(BACKENDS);
      const particle = resized(0, 32, contiguous(3, DOUBLE));
      const arrays = resized(0, 8, vector(3, 1, 100, DOUBLE));
      const committed = engine.commitCopy(particle, arrays);
      expect(committed.choice.chosen.name).toBe(name);
      expect(committed.explain().length).toBeGreaterThan(0);
      const [from, to] = [counting(4 * 100), new Float64Array(300)];
      using plan = committed.plan(from, to, { count: 100 });
      plan.run().wait();
      expect([...to]).toEqual(Array.from(to, (_, i) => 4 * (i % 100) + Math.floor(i / 100)));
      const part = new Float64Array(300);
      committed.copy(from, part, { count: 100, first: 24, length: 16 }).wait();
      expect(part.filter((value) => value !== 0)).toEqual(Float64Array.of(4, 5));
    });

    test("brings ghost cells from one edge of an array to the other, in place", () => {
      using engine = createEngine(BACKENDS);
      const edge = (start: number) =>
        subarray({ sizes: [6, 8], subsizes: [6, 1], starts: [0, start], order: "C", child: DOUBLE });
      const field = counting(48);
      engine.copy(field, edge(6), field, edge(0)).wait();
      for (let row = 0; row < 6; row++)
        expect([...field.subarray(row * 8, row * 8 + 8)]).toEqual([6, 1, 2, 3, 4, 5, 6, 7].map((i) => row * 8 + i));
    });

    test("is refused where a byte is both read and written, and nothing moves", () => {
      using engine = createEngine(BACKENDS);
      const matrix = counting(16);
      expect(() => engine.copy(matrix, columns(4, 4, 4), matrix, rows(4, 4, 4))).toThrow(BindingError);
      expect(() => engine.copy(matrix, columns(4, 3, 4), matrix, rows(3, 4, 4))).toThrow(
        "target of move 0: expected bytes apart from the source's, got byte 0 in both",
      );
      const backwards = resized(0, 8, vector(4, 1, -1, DOUBLE));
      expect(() =>
        engine.copy(
          { memory: { kind: "host", sizeBytes: 128, bytes: new Uint8Array(matrix.buffer) }, originBytes: 64 },
          backwards,
          matrix,
          contiguous(4, DOUBLE),
        ),
      ).not.toThrow();
      expect(() => engine.copy(matrix.subarray(2), contiguous(4, DOUBLE), matrix, contiguous(4, DOUBLE))).toThrow(
        BindingError,
      );
      expect([...matrix.subarray(5)]).toEqual([...counting(16).subarray(5)]);
    });
  },
);

describe("datatypes of a copy", () => {
  test("must have one signature", () => {
    using engine = createEngine({ backends: [new CpuBackend()] });
    const mixed = struct([1, 2], [0, 8], [DOUBLE, predefined("MPI_INT")]);
    expect(() => engine.commitCopy(contiguous(2, DOUBLE), mixed)).toThrow(DatatypeError);
    expect(() => engine.commitCopy(contiguous(2, DOUBLE), mixed)).toThrow(
      "signature of a copy's target: expected 2 × MPI_DOUBLE, got MPI_DOUBLE, 2 × MPI_INT",
    );
    engine.commitCopy(contiguous(4, contiguous(2, DOUBLE)), vector(8, 1, 2, DOUBLE));
  });

  test("as layouts, must have one size", () => {
    using engine = createEngine({ backends: [new CpuBackend()] });
    expect(() => engine.commitCopy(lower(DOUBLE), vector(2, 1, 2, DOUBLE))).toThrow(
      "size of a copy's target: expected 8 bytes an element, got 16",
    );
    expect(engine.commitCopy(lower(contiguous(2, predefined("MPI_INT"))), DOUBLE).move.source.sizeBytes).toBe(8);
  });

  test("need a backend that takes them", () => {
    using engine = createEngine({ backends: [new CpuBackend()] });
    expect(() => engine.commitCopy(rows(2, 2, 3), columns(2, 2, 3), { fromMemory: "device" })).toThrow(NoBackendError);
  });
});
