import { describe, expect, it } from "vitest";
import { EXPERIMENT_NAMES, findingsOf, type OverheadRow } from "../src/index.js";
import { point, WHOLE } from "./rows.js";

const found = (rows: readonly OverheadRow[], experiment: string) =>
  findingsOf(rows, "mpi-1").find((finding) => finding.experiment === experiment);

const queue = (experiment: "matching" | "waitany", times: readonly (readonly [number, number])[]) =>
  times.map(([x, medianNs]) => point({ experiment, panel: "requests", x, medianNs }));

describe("findings of the paper", () => {
  it("are ten, and not known of what was not measured", () => {
    expect(findingsOf([], "mpi-1").map(({ experiment }) => experiment)).toEqual(EXPERIMENT_NAMES);
    expect(new Set(findingsOf([], "mpi-1").map(({ verdict }) => verdict))).toEqual(new Set(["not known"]));
  });

  it("are judged by one MPI's C programs alone", () => {
    const others = WHOLE.flatMap((row) => [
      { ...row, mpi: "mpi-2", medianNs: 9e9 },
      { ...row, by: "bridge" as const, medianNs: 9e9 },
    ]);
    expect(findingsOf([...others, ...WHOLE], "mpi-1")).toEqual(findingsOf(WHOLE, "mpi-1"));
  });

  it("are confirmed where all their claims hold, and in part where some do", () => {
    const linear = queue("matching", [[1, 100], [64, 226], [512, 1122]]); // prettier-ignore
    expect(found(linear, "matching")).toMatchObject({ verdict: "confirmed in part" });
    const bent = queue("matching", [[1, 100], [64, 226], [512, 3000]]); // prettier-ignore
    expect(found(bent, "matching")).toMatchObject({
      verdict: "confirmed",
      says: "100 ns with 1, 3.00 us with 512: 2.00 ns each up to 64, 6.19 ns past it",
    });
  });

  it("are refuted where time does not grow, or by less than is noticed", () => {
    const flat = queue("waitany", [[1, 100], [64, 101], [512, 104]]); // prettier-ignore
    expect(found(flat, "waitany")?.verdict).toBe("refuted");
    const calls = (series: string, medianNs: number) =>
      point({ experiment: "requests", panel: "latency", x: 8, series, medianNs });
    expect(found([calls("blocking", 100), calls("nonblocking", 104)], "requests")?.verdict).toBe("refuted");
    expect(found([calls("blocking", 100), calls("nonblocking", 140)], "requests")?.verdict).toBe("confirmed");
  });

  it("are not known where the median ratio and the median difference are of unlike signs", () => {
    const rows = (
      [
        [1000, 1200],
        [72_000, 68_400],
      ] as const
    ).flatMap(([blocking, nonblocking], i) => [
      point({ experiment: "requests", panel: "latency", x: 2 ** i, series: "blocking", medianNs: blocking }),
      point({ experiment: "requests", panel: "latency", x: 2 ** i, series: "nonblocking", medianNs: nonblocking }),
    ]);
    expect(found(rows, "requests")).toEqual(
      expect.objectContaining({
        verdict: "not known",
        says: "7 %, yet -1.70 us: noise, measure again on a machine without other work",
      }),
    );
  });

  it("say of checks that cannot be turned off that nothing is known", () => {
    const always = WHOLE.filter(({ series }) => series !== "unchecked");
    expect(found(always, "checking")).toMatchObject({
      verdict: "not known",
      says: "this MPI was built so that checks cannot be turned off",
    });
  });
});
