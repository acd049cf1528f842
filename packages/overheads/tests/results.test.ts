import { describe, expect, it } from "vitest";
import {
  eagerLimitOf,
  EXPERIMENT_NAMES,
  EXPERIMENTS,
  figurePoints,
  isOverheads,
  outsideOfRanks,
  OVERHEADS_SCHEMA,
  parseOverheads,
  startedUnder,
} from "../src/index.js";
import { point, WHOLE } from "./rows.js";

const RESULTS = {
  ...{ schema: OVERHEADS_SCHEMA, command: "stowage overheads", date: "2026-01-01", commit: "abc", remarks: [] },
  machine: { cpu: "a processor", cores: 2, gpu: null, driver: null, node: "v20" },
};

describe("files of overheads", () => {
  it("are read as they were written", () => {
    const load = { mpi: "mpi-1", ranks: 2, by: "c", experiments: ["stack"], processors: 2, inUseByOthers: 0.01 };
    const text = JSON.stringify({ ...RESULTS, rows: WHOLE, loads: [load] });
    expect(parseOverheads(text, "file")).toEqual({ ...RESULTS, rows: WHOLE, loads: [load] });
    expect(parseOverheads(JSON.stringify({ ...RESULTS, rows: WHOLE }), "older").loads).toBeUndefined();
    expect(isOverheads(text)).toBe(true);
  });

  it("are refused in one line that names the field", () => {
    const wrong = { ...RESULTS, rows: [{ ...WHOLE[0], medianNs: "soon" }] };
    expect(() => parseOverheads(JSON.stringify(wrong), "a.json")).toThrow(/^a\.json: rows\.0\.medianNs: .*number/);
    expect(() => parseOverheads('{"schema":"stowage-results/1"}', "a.json")).toThrow(
      /^a\.json: schema: expected stowage-overheads\/1/,
    );
    expect(isOverheads("{")).toBe(false);
  });
});

describe("points of figures", () => {
  it("have differences, times a request and percentages beside what was measured", () => {
    const of = (experiment: string, panel: string) =>
      figurePoints(WHOLE).filter((each) => each.experiment === experiment && each.panel === panel);
    expect(of("stack", "overhead").map(({ series, y }) => [series, y])).toEqual([["MPI over shared memory", 60]]);
    expect(of("requests", "overhead").map(({ series, y }) => [series, y])).toEqual([["nonblocking", 5]]);
    expect(of("matching", "per request").map(({ x, y }) => x * y)).toEqual([82, 96, 208, 1104]);
  });

  it("know the longest eager message", () => {
    expect(eagerLimitOf([point({ experiment: "stack", panel: "eager limit", x: 4040, medianNs: 0 })], "mpi-1")).toBe(
      4040,
    );
    expect(eagerLimitOf(WHOLE, "mpi-1")).toBeUndefined();
  });
});

describe("the ten experiments", () => {
  it("stand in the paper's order, each with a program and a panel", () => {
    expect(EXPERIMENTS.map(({ name }) => name)).toEqual(EXPERIMENT_NAMES);
    expect(EXPERIMENTS.map(({ section }) => section)).toEqual(EXPERIMENT_NAMES.map((_, i) => `3.${i + 1}`));
    for (const { programs, panels } of EXPERIMENTS) expect(Math.min(programs.length, panels.length)).toBeGreaterThan(0);
  });
});

describe("a process under mpirun", () => {
  it("knows its place by what the launcher left, and its own launches do not", () => {
    const [ompi, mpich] = [
      { OMPI_COMM_WORLD_SIZE: "4", OMPI_COMM_WORLD_RANK: "1" },
      { PMI_SIZE: "2", PMI_RANK: "0" },
    ];
    expect(startedUnder(ompi)).toEqual({ family: "openmpi", ranks: 4, rank: 1 });
    expect(startedUnder(mpich)).toEqual({ family: "mpich", ranks: 2, rank: 0 });
    expect(startedUnder({})).toBeUndefined();
    const kept = { OMPI_MCA_btl: "self,vader", PATH: "/bin" };
    expect(outsideOfRanks({ ...ompi, ...mpich, PMIX_RANK: "1", ...kept })).toEqual(kept);
  });
});
