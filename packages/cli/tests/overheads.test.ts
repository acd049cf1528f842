import { OVERHEADS_SCHEMA, type OverheadResults, type OverheadRow } from "@stowage/overheads";
import { experimentOf } from "@stowage/overheads";
import { describe, expect, it } from "vitest";
import { overheadFigure } from "../src/overheads/figure.js";
import { readExperiments, readRanks } from "../src/overheads/options.js";
import { compareOverheads } from "../src/overheads/report-overheads.js";
import { requireIdle } from "../src/overheads/overheads.js";
import { overheadTables } from "../src/overheads/tables.js";
import { renderSvg } from "../src/report/render-svg.js";

const row = (x: number, medianNs: number, series = "MPI"): OverheadRow => ({
  ...{ mpi: "openmpi-4.1.4", ranks: 2, experiment: "waitany", panel: "requests", series, by: "c", x, medianNs },
  ...{ minNs: medianNs, maxNs: medianNs, samples: 9 },
});

const results = (rows: readonly OverheadRow[], cpu = "one"): OverheadResults => ({
  ...{
    schema: OVERHEADS_SCHEMA,
    command: "stowage overheads",
    date: "2026-01-01",
    commit: "abc",
    remarks: ["a remark"],
    rows,
  },
  machine: { cpu, cores: 2, gpu: null, driver: null, node: "v20" },
});

describe("stowage overheads", () => {
  it("names what was expected where an option is wrong", () => {
    expect(() => readExperiments(["stak"])).toThrow(/^EXPERIMENTS: expected stack, requests, .*, got stak$/);
  });

  it("measures as many ranks as mpirun started, or the worlds of a projection", () => {
    expect(readRanks({}, { OMPI_COMM_WORLD_SIZE: "6", OMPI_COMM_WORLD_RANK: "0" })).toEqual([6]);
    expect(readRanks({}, {})).toEqual([2]);
    expect(readRanks({ project: 4096 }, {})).toEqual([2, 4, 8, 16]);
    expect(readRanks({ ranks: [3, 5] }, {})).toEqual([3, 5]);
  });

  it("prints a table a panel, series across, and remarks at its end", () => {
    const text = overheadTables([results([row(1, 30), row(8, 40), row(8, 400, "bridge")])]);
    expect(text).toMatch(/3\.4 .*MPI_Waitany, nanoseconds; openmpi-4\.1\.4, 2 ranks\n.*requests\s+MPI\s+bridge/);
    expect(text).toMatch(/^8\s+40\.0\s+400$/m);
    expect(text).toMatch(/^1\s+30\.0\s+-$/m);
    expect(text.endsWith("a remark")).toBe(true);
  });

  it("says beside what other work it was measured, and how far samples spread", () => {
    const load = { mpi: "openmpi-4.1.4", ranks: 2, by: "c" as const, experiments: ["waitany" as const], processors: 2 };
    const rows = [1, 8, 64].map((x) => ({ ...row(x, 40 * x), minNs: 38 * x, maxNs: 42 * x }));
    const loads = [0.3, 1.5].map((inUseByOthers) => ({ ...load, inUseByOthers }));
    const text = overheadTables([{ ...results(rows), loads }]);
    expect(text).toContain(
      "measured beside: at most 1.5 of 2 processors in use by other work; samples of a point spread over 10 % of their median",
    );
    expect(text).toMatch(/^3\.4 .*: not known; cannot be told, 1\.5 of 2 processors in use by other work: /m);
    expect(overheadTables([results(rows)])).toContain("measured beside: other work is not known; ");
  });

  it("refuses a busy machine in one line, and a quiet or unknown one not", () => {
    const busy = { processors: 2, inUseByOthers: 1.9 };
    expect(() => requireIdle(busy, 4)).toThrow(
      /^overheads: expected 2 idle processors for 4 ranks, got 1\.9 of 2 processors in use by other work; --despite-load [^\n]+$/,
    );
    for (const load of [{ ...busy, inUseByOthers: 0.1 }, undefined]) expect(() => requireIdle(load, 2)).not.toThrow();
  });
});

describe("a figure of overheads", () => {
  const strokesOf = (svg: string) =>
    [...svg.matchAll(/role-legend-symbol"[^>]*><path([^>]*)>/g)].map(([, attributes = ""]) => ({
      colour: /stroke="([^"]+)"/.exec(attributes)?.[1],
      dash: /stroke-dasharray="([^"]+)"/.exec(attributes)?.[1] ?? "none",
    }));

  it("has a colour a series and a dash a run, however many there are", async () => {
    const series = Array.from({ length: 14 }, (_, i) => `series ${i}`);
    const mpis = Array.from({ length: 8 }, (_, i) => `openmpi-${i}`);
    const rows = mpis.flatMap((mpi, i) => series.map((name, k) => ({ ...row(8, 10 * k + i, name), mpi })));
    const figure = overheadFigure(experimentOf("waitany"), [
      results([...rows, ...rows.map((one) => ({ ...one, x: 64 }))]),
    ]);
    if (figure === undefined) throw new Error("expected a figure, got none");
    const strokes = strokesOf(await renderSvg(figure));
    expect(new Set(strokes.map(({ colour }) => colour)).size).toBe(series.length + 1); // and that of dashes
    const dashes = strokes.filter(({ colour }) => colour === "#1b2a38").map(({ dash }) => dash);
    expect([dashes.length, new Set(dashes).size]).toEqual([mpis.length, mpis.length]);
  });
});

describe("a report of overheads", () => {
  it("divides times of two MPIs on one machine, and of two machines never", () => {
    const [first, second] = [
      [row(1, 30), row(8, 40)],
      [row(1, 60), row(8, 80)].map((one) => ({ ...one, mpi: "mpich-4.0.2" })),
    ];
    expect(compareOverheads([results(first), results(second)])[0]?.series[0]).toMatchObject({ points: 2, ratio: 2 });
    const apart = compareOverheads([results(first), results(second, "two")])[0]?.series[0];
    expect(apart).toMatchObject({ points: 2, ratio: undefined, first: "30.0 to 40.0", second: "60.0 to 80.0" });
  });

  it("wants two sides", () => {
    expect(() => compareOverheads([results([row(1, 30)])])).toThrow(/^FILES: expected two MPIs or two machines/);
  });
});
