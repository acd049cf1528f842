import { describe, expect, test } from "vitest";
import { buildKernel } from "../../src/index.js";
import { assemble, AssemblyReport, everyPair, ptxasArchitectures, registersFor } from "../../src/ptxas/index.js";

describe("registers that a thread may have", () => {
  test("are what a block's 65,536 allow, handed out to warps by 256", () => {
    expect([32, 128, 256, 257, 384, 768, 1024].map(registersFor)).toEqual([255, 255, 255, 224, 168, 80, 64]);
  });
});

describe.skipIf(ptxasArchitectures().length === 0)("ptxas", () => {
  const arch = ptxasArchitectures()[0] ?? 75;
  // Many loads, all alive until the last is there: more values than a block of 1024 threads has registers for.
  const crowded = buildKernel("crowded", { parameters: { a: "u64" }, maxThreads: 1024 }, (k, { a }) => {
    const values = Array.from({ length: 120 }, (_, i) =>
      k.load("global", a.add(i * 4), { bits: 32 }, { operator: "cv" }),
    );
    k.fence("system");
    values.forEach((value, i) => k.store("global", a.add(i * 4), [value.add(values[119 - i] ?? 0)], { bits: 32 }));
  });
  const small = buildKernel("small", { parameters: { a: "u64" } }, (k, { a }) =>
    k.store("global", a, [a], { bits: 64 }),
  );

  test("is believed where registers run out: the kernel that spills is named, the other is not", () => {
    const [first, second] = assemble([small, crowded], arch);
    expect(first).toMatchObject({ name: "small", spilledBytes: 0, fits: true });
    expect(second?.name).toBe("crowded");
    expect(second?.spilledBytes).toBeGreaterThan(0);
  });
  test("that refuses is quoted", () => {
    expect(() => assemble([small], 76)).toThrow(/^ptxas -arch=sm_76: expected status 0, got [1-9]\d*: .*sm_76/s);
  });
});

describe("a report", () => {
  const kernel = { name: "a", registers: 12, spilledBytes: 0, fits: true };
  test("has an architecture a row, and the most of each group", () => {
    const report = new AssemblyReport();
    report.add(75, "one", [kernel, { ...kernel, registers: 40 }]);
    report.add(90, "one", [{ ...kernel, spilledBytes: 8 }]);
    report.add(90, "other", [kernel]);
    expect(
      String(report)
        .split("\n")
        .map((line) => line.trim().split(/ {2,}/)),
    ).toEqual([
      ["registers / bytes spilled, at most", "one", "other"],
      ["sm_75", "40 / 0"],
      ["sm_90", "12 / 8", "12 / 0"],
    ]);
  });
  test("of nothing says so", () => {
    expect(String(new AssemblyReport())).toBe("ptxas: expected one on PATH, got none: no kernel was assembled");
  });
});

describe("every pair", () => {
  test("of choices that occurs at all occurs in the few, and they are few", () => {
    const two = [false, true];
    const all = two
      .flatMap((a) =>
        two.flatMap((b) => two.flatMap((c) => two.flatMap((d) => [1, 2, 3].map((e) => ({ a, b, c, d, e }))))),
      )
      .filter(({ a, e }) => !(a && e === 3));
    const pairs = (list: typeof all) =>
      new Set(
        list.flatMap((each) =>
          Object.entries(each).flatMap((one) => Object.entries(each).map((other) => `${one.join()} ${other.join()}`)),
        ),
      );
    const few = everyPair(all);
    expect(pairs([...few])).toEqual(pairs(all));
    expect(few.length).toBeLessThan(12);
  });
});
