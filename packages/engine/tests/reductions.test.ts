import { BindingError } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { ArgumentError, lower, predefined, resized, struct, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine, NoBackendError } from "../src/index.js";
import { CountingBackend } from "./counting-backend.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(3, 1, 3, DOUBLE);
const CPU = { backends: [new CpuBackend()] };

describe("an unpack with an operation", () => {
  test("combines a column, by calls and by plans, and leaves the rest", () => {
    using engine = new Engine(CPU);
    const committed = engine.commit(column);
    const matrix = Float64Array.from({ length: 9 }, (_, i) => i);
    const packed = Float64Array.of(10, 20, 30);
    committed.unpack(packed, matrix, { op: "MPI_SUM" });
    expect([...matrix]).toEqual([10, 1, 2, 23, 4, 5, 36, 7, 8]);
    using plan = committed.plan("unpack", packed, matrix, { op: "MPI_MAX", first: 8, length: 16 });
    plan.run();
    expect([...matrix]).toEqual([10, 1, 2, 23, 4, 5, 36, 7, 8]);
    committed.unpack(packed, matrix, { op: "replace" });
    expect([...matrix]).toEqual([10, 1, 2, 20, 4, 5, 30, 7, 8]);
    committed.unpack(packed, matrix, { op: "sum" });
    expect([...matrix]).toEqual([20, 1, 2, 40, 4, 5, 60, 7, 8]);
    committed.unpack(packed, matrix, { op: "MPI_REPLACE" });
    expect([...matrix]).toEqual([10, 1, 2, 20, 4, 5, 30, 7, 8]);
  });

  test("applies elements that share a place one after another", () => {
    using engine = new Engine(CPU);
    const total = Float64Array.of(1);
    engine.commit(resized(0, 0, DOUBLE)).unpack(Float64Array.of(1, 2, 3, 4), total, { count: 4, op: "MPI_SUM" });
    expect(total[0]).toBe(11);
  });

  test("takes a layout whose elements are told", () => {
    using engine = new Engine(CPU);
    const there = Float64Array.of(1, 2);
    engine.commit(lower(DOUBLE)).unpack(Float64Array.of(3, 4), there, { count: 2, op: "MPI_PROD", element: "float64" });
    expect([...there]).toEqual([3, 8]);
  });

  test("lets no NaN be a maximum, and displaces none", () => {
    using engine = new Engine(CPU);
    const there = Float64Array.of(1, NaN, -0);
    engine.commit(DOUBLE).unpack(Float64Array.of(NaN, 1, 0), there, { count: 3, op: "MPI_MAX" });
    expect([...there]).toEqual([1, NaN, -0]);
  });

  test("is refused in one line where the type, the operation or the range does not fit", () => {
    using engine = new Engine(CPU);
    const [packed, target] = [new Float64Array(3), new Float64Array(9)];
    const mixed = struct([1, 1], [0, 8], [DOUBLE, predefined("MPI_LONG")]);
    const by = (type: Parameters<Engine["commit"]>[0], op: "MPI_SUM" | "MPI_BAND") => () =>
      engine.commit(type).unpack(packed, target, { op });
    expect(by(mixed, "MPI_SUM")).toThrow(/^elements of MPI_SUM: expected one basic type, got/);
    expect(by(column, "MPI_BAND")).toThrow(
      "elements of MPI_BAND: expected a basic type of C integer, byte, multi-language, got MPI_DOUBLE",
    );
    expect(by("MPI_CHAR", "MPI_SUM")).toThrow(ArgumentError);
    expect(by(lower(column), "MPI_SUM")).toThrow(
      "type of MPI_SUM: expected a datatype, or an element beside it, got a layout, which knows bytes only",
    );
    expect(by(predefined("MPI_LONG_DOUBLE"), "MPI_SUM")).toThrow(
      "elements of MPI_SUM: expected a basic type of C integer, floating point, multi-language, complex, " +
        "but none of long doubles, which moves do not reduce, got MPI_LONG_DOUBLE",
    );
    const cut = () => engine.commit(column).unpack(packed, target, { op: "MPI_SUM", first: 4, length: 8 });
    expect(cut).toThrow(BindingError);
    expect(cut).toThrow("first byte of move 0: expected a multiple of an element's 8 bytes, got 4");
    expect(() => engine.commit(column).pack(target, packed, { op: "MPI_SUM" } as object)).toThrow(ArgumentError);
    expect([...target]).toEqual(new Array(9).fill(0));
  });

  test("never reaches a backend that declares no reducing moves", () => {
    const own = new CountingBackend();
    using engine = new Engine({ backends: [own] });
    const committed = engine.commit(column);
    const reduce = () => committed.unpack(new Float64Array(3), new Float64Array(9), { op: "MPI_SUM" });
    expect(reduce).toThrow(NoBackendError);
    expect(reduce).toThrow("backend for reduce: expected one that supports it, got own: it declares no reducing moves");
    expect(own.compiled).toBe(0);
  });
});
