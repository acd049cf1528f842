import { predefined, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { Engine, type Choose, type Course } from "../src/index.js";
import { CountingBackend } from "./counting-backend.js";

const column = vector(4, 1, 2, predefined("MPI_DOUBLE"));
const source = Float64Array.from({ length: 16 }, (_, i) => i);
const PACKED = [0, 2, 4, 6];

/** `last` is compiled once three calls have saved what it takes. */
function tiered(fromCount = 0) {
  const [first, last] = [new CountingBackend("first"), new CountingBackend("last")];
  const tier = (backend: CountingBackend, commitNs: number, savedNsPerCall: number) => ({
    ...{ backend, commitNs, savedNsPerCall, savedNsPerElement: 0 },
  });
  const courses: Course[] = [{ fromCount: 0, tiers: [tier(first, 0, 0), tier(last, 300, 100)] }];
  if (fromCount > 0) courses.push({ fromCount, tiers: [tier(last, 0, 0)] });
  const choose: Choose = () => ({ chosen: last, courses, reason: "a test", candidates: [] });
  return { first, last, engine: new Engine({ backends: [first, last], choose }) };
}

describe("tiers", () => {
  test("nothing is compiled at commit; what begins moves the first calls, what follows those after", () => {
    const { first, last, engine } = tiered();
    using committed = engine.commit(column);
    expect([first.compiled, last.compiled]).toEqual([0, 0]);
    for (let call = 0; call < 6; call++) {
      const packed = new Float64Array(4);
      committed.pack(source, packed).wait();
      expect([...packed]).toEqual(PACKED);
      expect([first.compiled, last.compiled]).toEqual([1, call < 3 ? 0 : 1]);
    }
  });

  test("a plan swaps unnoticed, keeps what it was bound to, and survives what it was committed by", () => {
    const { first, last, engine } = tiered();
    const committed = engine.commit(column);
    const packed = new Float64Array(4);
    const plan = committed.plan("pack", source, packed);
    for (let run = 0; run < 6; run++) {
      packed.fill(-1);
      plan.run().wait();
      expect([...packed]).toEqual(PACKED);
    }
    expect([first.compiled, last.compiled]).toEqual([1, 1]);
    committed[Symbol.dispose]();
    packed.fill(-1);
    plan.run().wait();
    expect([...packed]).toEqual(PACKED);
    plan[Symbol.dispose]();
    engine[Symbol.dispose]();
    expect([first.live, last.live]).toEqual([0, 0]);
  });

  test("calls of other counts have courses of their own", () => {
    const { first, last, engine } = tiered(2);
    using committed = engine.commit(column);
    committed.pack(source, new Float64Array(8), { count: 2 }).wait();
    expect([first.compiled, last.compiled]).toEqual([0, 1]);
    committed.pack(source, new Float64Array(4)).wait();
    expect([first.compiled, last.compiled]).toEqual([1, 1]);
  });

  test("compiling ahead goes to the last at once", () => {
    const { first, last, engine } = tiered();
    engine.commit(column).compile("pack");
    expect([first.compiled, last.compiled]).toEqual([0, 1]);
  });

  test("one that cannot be compiled is done without", () => {
    const { last, engine } = tiered();
    using committed = engine.commit(column);
    last.compile = () => engine.commit(null as never) as never;
    for (let call = 0; call < 6; call++) {
      const packed = new Float64Array(4);
      committed.pack(source, packed).wait();
      expect([...packed]).toEqual(PACKED);
    }
  });
});
