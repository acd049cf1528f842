import { describe, expect, it } from "vitest";
import { EXPERIMENT_NAMES, findingsOf, type OverheadRow } from "../src/index.js";
import { point, WHOLE } from "./rows.js";

const found = (rows: readonly OverheadRow[], experiment: string) =>
  findingsOf({ rows }, "mpi-1").find((finding) => finding.experiment === experiment);

const queue = (experiment: "matching" | "waitany", times: readonly (readonly [number, number])[]) =>
  times.map(([x, medianNs]) => point({ experiment, panel: "requests", x, medianNs }));

describe("findings of the paper", () => {
  it("are ten, and not known of what was not measured", () => {
    expect(findingsOf({ rows: [] }, "mpi-1").map(({ experiment }) => experiment)).toEqual(EXPERIMENT_NAMES);
    expect(new Set(findingsOf({ rows: [] }, "mpi-1").map(({ verdict }) => verdict))).toEqual(new Set(["not known"]));
  });

  it("are judged by one MPI's C programs alone", () => {
    const others = WHOLE.flatMap((row) => [
      { ...row, mpi: "mpi-2", medianNs: 9e9 },
      { ...row, by: "bridge" as const, medianNs: 9e9 },
    ]);
    expect(findingsOf({ rows: [...others, ...WHOLE] }, "mpi-1")).toEqual(findingsOf({ rows: WHOLE }, "mpi-1"));
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

  const pair =
    (experiment: "checking" | "datatypes", panel: string, first: string, second: string) =>
    ([x, before, after]: readonly [number, number, number]) => [
      point({ experiment, panel, x, series: first, medianNs: before }),
      point({ experiment, panel, x, series: second, medianNs: after }),
    ];

  it("are not known where checks cost a message more and a call less, or each of both signs", () => {
    const checked = (panel: string) => pair("checking", panel, "unchecked", "checked");
    const message = [[8, 1000, 1100]] as const;
    const cheaper = [...message.flatMap(checked("latency")), ...checked("call")([0, 5000, 3290])];
    expect(found(cheaper, "checking")).toMatchObject({
      verdict: "not known",
      says: expect.stringMatching(
        /^10 % of a short message; -1\.71 us of a call that sends nothing: noise, /,
      ) as string,
    });
    const dearer = [...message.flatMap(checked("latency")), ...checked("call")([0, 50, 70])];
    expect(found(dearer, "checking")?.verdict).toBe("confirmed");
    const both = [[2, 1000, 1200], [4, 72_000, 68_400]] as const; // prettier-ignore
    expect(found([...both.flatMap(checked("latency")), ...checked("call")([0, 50, 70])], "checking")).toMatchObject({
      verdict: "not known",
      says: expect.stringMatching(/^7 %, yet -1\.70 us: noise/) as string,
    });
  });

  it("are not known of datatypes of both signs", () => {
    const places = [[1024, 1000, 1500], [65_536, 72_000, 68_400]] as const; // prettier-ignore
    const kinds = ["char", "short", "int", "double"].map((kind) => pair("datatypes", "long", "contiguous", kind));
    const rows = kinds.flatMap((kind, i) => (i === 2 ? places.flatMap(kind) : kind([1024, 1000, 1500])));
    expect(found(rows, "datatypes")).toMatchObject({
      verdict: "not known",
      says: expect.stringMatching(/yet -/) as string,
    });
  });

  it("are not known of a queue that is quicker in its middle than at its ends, and none bends that does not grow", () => {
    const sagging = queue("waitany", [[1, 100], [64, 40], [512, 300]]); // prettier-ignore
    expect(found(sagging, "waitany")).toMatchObject({
      verdict: "not known",
      says: expect.stringMatching(/: -0\.95 ns each up to 64, .*: noise, /) as string,
    });
    const falling = queue("matching", [[1, 1000], [64, 900], [512, 100]]); // prettier-ignore
    expect(found(falling, "matching")?.verdict).toBe("refuted");
  });

  it("are not known where other work had the processors of the ranks, whatever the figures say", () => {
    const rows = queue("matching", [[1, 100], [64, 226], [512, 3000]]); // prettier-ignore
    const load = { mpi: "mpi-1", ranks: 2, by: "c" as const, experiments: ["matching" as const], processors: 2 };
    const judgedBeside = (inUseByOthers: number, other: object = {}) =>
      findingsOf({ rows, loads: [{ ...load, inUseByOthers, ...other }] }, "mpi-1")[2];
    expect(judgedBeside(0.1)?.verdict).toBe("confirmed");
    expect(judgedBeside(1.2)).toMatchObject({
      verdict: "not known",
      says: expect.stringMatching(
        /^cannot be told, 1\.2 of 2 processors in use by other work: 100 ns with 1/,
      ) as string,
    });
    expect(judgedBeside(1.2, { mpi: "mpi-2" })?.verdict).toBe("confirmed");
    expect(judgedBeside(1.2, { by: "bridge" })?.verdict).toBe("confirmed");
    expect(judgedBeside(1.2, { processors: 16 })?.verdict).toBe("confirmed");
  });

  it("say of checks that cannot be turned off that nothing is known", () => {
    const always = WHOLE.filter(({ series }) => series !== "unchecked");
    expect(found(always, "checking")).toMatchObject({
      verdict: "not known",
      says: "this MPI was built so that checks cannot be turned off",
    });
  });
});
