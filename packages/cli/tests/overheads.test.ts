import { OVERHEADS_SCHEMA, type OverheadResults, type OverheadRow } from "@stowage/overheads";
import { describe, expect, it } from "vitest";
import { readExperiments, readRanks } from "../src/overheads/options.js";
import { compareOverheads } from "../src/overheads/report-overheads.js";
import { overheadTables } from "../src/overheads/tables.js";

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
