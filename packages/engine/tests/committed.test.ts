import { BindingError } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { DatatypeError, lower, predefined, printDatatype, resized, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = vector(4, 1, 4, DOUBLE);
const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
const CPU = { backends: [new CpuBackend()] };

describe("a committed datatype", () => {
  test("packs a column and unpacks it into a row of canaries", () => {
    using engine = new Engine(CPU);
    const committed = engine.commit(column);
    const packed = new Float64Array(4);
    committed.pack(matrix, packed).wait();
    expect([...packed]).toEqual([0, 4, 8, 12]);
    const restored = new Float64Array(16).fill(-1);
    committed.unpack(packed, restored).wait();
    expect([...restored]).toEqual(Array.from(matrix, (value) => (value % 4 === 0 ? value : -1)));
  });

  test("takes counts, ranges and spans", () => {
    using engine = new Engine(CPU);
    const committed = engine.commit(resized(0, 8, column));
    const transposed = new Float64Array(16);
    committed.pack(matrix, transposed, { count: 4 });
    expect([...transposed.subarray(4, 8)]).toEqual([1, 5, 9, 13]);
    const second = new Float64Array(4);
    const fragment = {
      memory: { kind: "host", sizeBytes: 32, bytes: new Uint8Array(second.buffer) } as const,
      originBytes: -32,
    };
    committed.pack(matrix, fragment, { count: 4, first: 32, length: 32 });
    expect([...second]).toEqual([1, 5, 9, 13]);
  });

  test("moves as many elements as it was committed for, unless a call names another number", () => {
    using engine = new Engine(CPU);
    const committed = engine.commit(resized(0, 8, column), { count: 4 });
    const transposed = new Float64Array(16);
    committed.pack(matrix, transposed);
    expect([...transposed.subarray(4, 8)]).toEqual([1, 5, 9, 13]);
    expect(() => committed.pack(matrix, transposed, { count: 2 })).toThrow("count of move 0: expected 4, as compiled");
  });

  test("is planned once and run many times", () => {
    using engine = new Engine(CPU);
    const packed = new Float64Array(4);
    const source = matrix.slice();
    using plan = engine.commit(column).plan("pack", source, packed);
    plan.run();
    source[4] = 99;
    plan.run();
    expect([...packed]).toEqual([0, 99, 8, 12]);
  });

  test("may be given as a layout, as a document, or by its MPI name", () => {
    using engine = new Engine(CPU);
    const { layout } = engine.commit(column);
    expect(engine.commit(lower(column)).layout).toEqual(layout);
    expect(engine.commit(printDatatype(column)).layout).toEqual(layout);
    const document = { kind: "vector", count: 4, blocklength: 1, stride: 4, child: "MPI_DOUBLE" } as const;
    expect(engine.commit(document).layout).toEqual(layout);
    expect(engine.commit("MPI_DOUBLE").layout.sizeBytes).toBe(8);
    expect(engine.commitCopy(document, { kind: "contiguous", count: 4, child: "MPI_DOUBLE" }).move.source).toEqual(
      layout,
    );
  });

  test("that is none is refused by what is wrong with it", () => {
    using engine = new Engine(CPU);
    expect(() => engine.commit("MPI_DUOBLE" as "MPI_DOUBLE")).toThrow("did you mean MPI_DOUBLE?");
    expect(() => engine.commit({ kind: "vector", count: -1 } as never)).toThrow(DatatypeError);
    expect(() => engine.commit(null as never)).toThrow(
      "datatype: expected one that was built, a layout, a document or an MPI name, got null",
    );
    expect(() => engine.commit({} as never)).toThrow("got an object");
    expect(() => engine.commit({ root: 5 } as never)).toThrow(
      "layout: expected one that a builder of @stowage/ir made",
    );
  });
});

describe("a call is refused in one clear line", () => {
  const committed = new Engine(CPU).commit(column);
  const packed = new Float64Array(4);
  const detached = new Float64Array(4);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });

  test.each([
    ["null", null, "source: expected a typed array, an array buffer, a memory or a span of one, got null"],
    ["a string", "abc", 'source: expected a typed array, an array buffer, a memory or a span of one, got "abc"'],
    ["a list of numbers", [0, 0], "got a list of 2"],
    ["a detached view", detached, "got a detached one"],
    ["a detached buffer", detached.buffer, "got a detached one"],
    ["a span of nothing", { memory: null, originBytes: 0 }, "memory of source: expected a typed array"],
    ["an origin that is no integer", { memory: { kind: "host", sizeBytes: 8 }, originBytes: 0.5 }, "origin"],
  ])("where the source is %s", (_, source, message) => {
    expect(() => committed.pack(source as never, packed)).toThrow(BindingError);
    expect(() => committed.pack(source as never, packed)).toThrow(message);
  });

  test.each([
    [{ first: 33 }, "first byte: expected one within 1 x 32 packed bytes, got 33"],
    [{ first: -1 }, "first byte of move 0: expected an integer from 0 to 2^53 - 1, got -1"],
    [{ count: -1 }, "count of move 0: expected an integer from 0 to 2^53 - 1, got -1"],
    [{ count: 1.5 }, "count of move 0: expected an integer from 0 to 2^53 - 1, got 1.5"],
    [{ count: 1n }, "call options: count: expected an integer of 0 or more, got the bigint 1n"],
    [{ length: 33 }, "range of move 0: expected an end within 1 x 32 bytes, got 33"],
    [{ elements: 1 }, 'call options: expected some of count, first, length, queue, got "elements"'],
    [{ queue: 7 }, "call options: queue: expected the stream of a device, got 7"],
    [null, "call options: expected an object, got null"],
  ])("with the options %o", (options, message) => {
    expect(() => committed.pack(matrix, packed, options as never)).toThrow(message);
  });

  test("where a direction is neither", () => {
    expect(() => committed.plan("sideways" as "pack", matrix, packed)).toThrow(
      'direction: expected pack or unpack, got "sideways"',
    );
    expect(() => committed.choice(null as never)).toThrow("direction: expected pack or unpack, got null");
  });

  test("where a plan is given a queue: its runs are", () => {
    expect(() => committed.plan("pack", matrix, packed, { queue: undefined } as object)).toThrow(
      'plan options: expected some of count, first, length, got "queue"',
    );
  });
});
