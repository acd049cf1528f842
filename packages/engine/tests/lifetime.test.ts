import { DisposedError } from "@stowage/backend-api";
import { contiguous, predefined, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine } from "../src/index.js";
import { CountingBackend } from "./counting-backend.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(4, 1, 4, DOUBLE);
const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
const packed = new Float64Array(4);

describe("kernels of a long-lived engine", () => {
  test("are bounded in number when what was committed is disposed of", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend], unusedKernels: 10 });
    for (let length = 1; length <= 200; length++) {
      using committed = engine.commit(contiguous(length, DOUBLE));
      committed.pack(new Float64Array(length), new Float64Array(length));
    }
    expect([backend.compiled, backend.live]).toEqual([200, 10]);
  });

  test("that nobody uses are found again by the next commit, the latest first", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend], unusedKernels: 2 });
    const use = (length: number): void => {
      using committed = engine.commit(contiguous(length, DOUBLE));
      committed.pack(new Float64Array(length), new Float64Array(length));
    };
    [1, 2, 1, 3, 1].forEach(use);
    expect([backend.compiled, backend.live]).toEqual([3, 2]);
    use(2);
    expect([backend.compiled, backend.live]).toEqual([4, 2]);
  });

  test("stay while another commit, or a plan, uses them", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend], unusedKernels: 0 });
    const [first, second] = [engine.commit(column), engine.commit(column)];
    first.pack(matrix, packed);
    const plan = second.plan("pack", matrix, packed);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    expect([backend.compiled, backend.live]).toEqual([1, 1]);
    packed.fill(0);
    plan.run();
    expect([...packed]).toEqual([0, 4, 8, 12]);
    plan[Symbol.dispose]();
    plan[Symbol.dispose]();
    expect(backend.live).toBe(0);
  });

  test("of single copies are kept for the next", () => {
    const backend = new CountingBackend();
    using engine = new Engine({ backends: [backend] });
    const rows = contiguous(4, DOUBLE);
    for (let i = 0; i < 3; i++) engine.copy(matrix, column, new Float64Array(4), rows);
    expect([backend.compiled, backend.live]).toEqual([1, 1]);
  });

  test("go with the engine, and what was made of them with it", () => {
    const backend = new CountingBackend();
    let owned = 0;
    const engine = new Engine({ backends: [backend], owned: [{ [Symbol.dispose]: () => void owned++ }] });
    const committed = engine.commit(column);
    const copy = engine.commitCopy(column, contiguous(4, DOUBLE));
    const plan = committed.plan("pack", matrix, packed);
    engine[Symbol.dispose]();
    engine[Symbol.dispose]();
    expect([backend.live, owned]).toEqual([0, 1]);
    const gone = "engine: expected one in use, got a disposed one";
    expect(() => engine.commit(column)).toThrow(new DisposedError("engine"));
    expect(() => engine.commitCopy(column, column)).toThrow(gone);
    expect(() => engine.copy(matrix, column, packed, column)).toThrow(gone);
    expect(() => committed.pack(matrix, packed)).toThrow(gone);
    expect(() => committed.unpack(packed, matrix)).toThrow(gone);
    expect(() => committed.plan("pack", matrix, packed)).toThrow(gone);
    expect(() => committed.explain("pack")).toThrow(gone);
    expect(() => copy.copy(matrix, packed)).toThrow(gone);
    expect(() => plan.run()).toThrow("plan: expected one in use, got a disposed one");
    expect(() => plan.rebind(0, {} as never)).toThrow(DisposedError);
    plan[Symbol.dispose]();
    committed[Symbol.dispose]();
  });
});

test("what was committed and disposed of says so", () => {
  using engine = new Engine({ backends: [new CountingBackend()] });
  const committed = engine.commit(column);
  committed[Symbol.dispose]();
  expect(() => committed.pack(matrix, packed)).toThrow("committed datatype: expected one in use, got a disposed one");
});
