import { describe, expect, it } from "vitest";
import { project, projectOverheads, termsOf, type OverheadRow } from "../src/index.js";
import { point, WHOLE } from "./rows.js";

const sparse = (ranks: number, medianNs: number): OverheadRow =>
  point({ experiment: "sparse", panel: "alltoallv", x: ranks, ranks, medianNs });

describe("models for more ranks", () => {
  it("are fitted in worlds of 8 and fewer, and judged at 16", () => {
    const rows = [2, 4, 8].map((ranks) => sparse(ranks, 100 + 50 * ranks));
    const [model] = project([...rows, sparse(16, 1000), sparse(32, 1e9)], [131_072]);
    expect(model?.line?.base).toBeCloseTo(100);
    expect(model?.line?.slope).toBeCloseTo(50);
    expect(model?.fittedRanks).toEqual([2, 4, 8]);
    expect(model?.errors).toHaveLength(1);
    expect(model?.errors[0]).toBeCloseTo(0.1);
    expect(model?.predicted[0]?.ns).toBeCloseTo(100 + 50 * 131_072);
  });

  it("say of what is local that it stays", () => {
    const rows = [2, 4, 8, 16].map((ranks, i) =>
      point({ experiment: "stack", panel: "latency", x: 8, ranks, medianNs: 200 + i }),
    );
    const [model] = project(rows, [4096]);
    expect(model?.predicted).toEqual([{ ranks: 4096, ns: 201 }]);
    expect(model?.errors[0]).toBeCloseTo(2 / 203);
  });

  it("say of exchanges with four neighbours that they cost the same among any number of ranks", () => {
    const rows = [8, 16].map((ranks) =>
      point({
        experiment: "sparse",
        panel: "peers",
        series: "bridge, peers",
        by: "bridge",
        x: 4,
        ranks,
        medianNs: 5000,
      }),
    );
    const [model] = project(rows, [64, 131_072]);
    expect(model?.predicted.map(({ ns }) => ns)).toEqual([5000, 5000]);
    expect(model?.errors).toEqual([0]);
  });

  it("say of peers that they wait in one queue, or each in its own: whichever is nearer", () => {
    const posted = [1, 64, 512].map((x) =>
      point({ experiment: "matching", panel: "requests", x, medianNs: 100 + 4 * x }),
    );
    const slopeAt = (medianNs: (x: number) => number) => {
      const peers = [1, 3, 7].map((x) => point({ experiment: "matching", panel: "peers", x, medianNs: medianNs(x) }));
      return project([...posted, ...peers], []).find(({ panel }) => panel === "peers")?.line?.slope;
    };
    expect(slopeAt((x) => 100 + 3 * x)).toBeCloseTo(4);
    expect(slopeAt((x) => 100 + 0.2 * x)).toBe(0);
  });

  it("go on with the last slope where a queue is longer than any that was measured", () => {
    const rows = [
      [1, 30],
      [64, 93],
      [512, 989],
    ].map(([x = 0, medianNs = 0]) => point({ experiment: "waitany", panel: "requests", x, medianNs }));
    expect(project(rows, [2, 33, 4097])[0]?.predicted.map(({ ns }) => ns)).toEqual([30, 61, 989 + 2 * (4096 - 512)]);
  });

  it("want alltoallv in two worlds, for one has no slope", () => {
    expect(() =>
      termsOf(
        WHOLE.filter(({ ranks }) => ranks === 2),
        "mpi-1",
      ),
    ).toThrow(/^--project: expected sparse to be measured in two worlds of at most 8 ranks, got 2$/);
    expect(() => termsOf([], "mpi-1")).toThrow(/^--project: expected .* to be measured, got no rows of it$/);
  });

  it("leave out checks that an MPI always makes", () => {
    const always = WHOLE.filter(({ series }) => series !== "unchecked");
    expect(termsOf(always, "mpi-1").checkNs).toBe(0);
  });

  it("make the terms of a halo exchange, over a network's wire where one is given", () => {
    const terms = termsOf(WHOLE, "mpi-1", { wireNs: 1500, wireNsPerByte: 0.04 });
    expect(terms).toMatchObject({ stackNs: 30, requestNs: 5, checkNs: 1, wireNs: 1500, wireNsPerByte: 0.04 });
    expect(terms.matchNs).toBeCloseTo(2);
    expect(terms.alltoallvNsPerRank).toBeCloseTo(10);
    expect(terms.packNsPerByte).toBeCloseTo(0.25);
  });

  it("show parsing of counts overtake all else where halos go by alltoallv", () => {
    const [one] = projectOverheads(WHOLE, { ranks: 512, gridPoints: 64, iterations: 2, skewNs: 10, seed: 3 });
    const byAlltoallv = one?.halos.find(({ mode }) => mode === "alltoallv");
    expect(byAlltoallv?.causes.sparse).toBeCloseTo(5120);
    expect(one?.halos.find(({ mode }) => mode === "messages")?.causes.sparse).toBe(0);
  });
});
