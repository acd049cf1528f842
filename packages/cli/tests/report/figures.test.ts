import { expect, test } from "vitest";
import { breakEven } from "../../src/report/break-even.js";
import { plotsOf } from "../../src/report/figures/figures.js";
import { renderSvg } from "../../src/report/render-svg.js";
import { EPYC, row, run, XEON } from "./rows.js";

const rows = [
  row("cpu", 100, { commitNs: 1000 }),
  row("x64", 20, { commitNs: 9000 }),
  row("memcpy", 10),
  row("cpu", 400, { packedBytes: 4096, commitNs: 1000 }),
  row("x64", 60, { packedBytes: 4096, commitNs: 9000 }),
  row("memcpy", 30, { packedBytes: 4096 }),
  row("x64", 25, { direction: "unpack", commitNs: 9000 }),
  row("memcpy", 10, { direction: "unpack" }),
];

const svgs = async (...runs: Parameters<typeof plotsOf>[0]) =>
  Object.fromEntries(
    await Promise.all(
      plotsOf(runs).map(async ({ name, specification }) => [name, await renderSvg(specification)] as const),
    ),
  );

/** The colour of the mark beside a contender's name in a plot's legend. */
const legendColour = (svg: string, contender: string): string | undefined => {
  const labels = [...svg.matchAll(/role-legend-label"[^>]*><text[^>]*>([^<]+)</g)].map(([, label]) => label);
  const symbols = [...svg.matchAll(/role-legend-symbol"[^>]*><path([^>]*)>/g)].map(([, attributes = ""]) => attributes);
  const attributes = symbols[labels.indexOf(contender)] ?? "";
  return /(?:fill|stroke)="(#[0-9a-f]{6})"/.exec(attributes)?.[1];
};

test("a contender has one colour in all plots", async () => {
  const drawn = await svgs(run(rows));
  expect(Object.keys(drawn)).toEqual(["bandwidth-over-size", "speed-up", "commit-cost", "break-even"]);
  const colours = Object.values(drawn).map((svg) => legendColour(svg, "Stowage (x64)"));
  expect(colours[0]).toMatch(/^#/);
  expect(new Set(colours).size).toBe(1);
});

test("as many contenders as there are have as many colours", async () => {
  const names = Array.from({ length: 30 }, (_, i) => `contender-${i}`);
  const many = names.flatMap((name, i) => [row(name, 10 + i), row(name, 40 + i, { packedBytes: 4096 })]);
  const svg = (await svgs(run(many)))["bandwidth-over-size"] ?? "";
  const colours = names.map((name) => legendColour(svg, `Stowage (${name})`));
  expect(colours.every((colour) => colour !== undefined)).toBe(true);
  expect(new Set(colours).size).toBe(names.length);
});

test("the legend of directions shows lines", async () => {
  const svg = (await svgs(run(rows)))["bandwidth-over-size"] ?? "";
  const strokes = [...svg.matchAll(/role-legend-symbol"[^>]*><path([^>]*)>/g)].filter(([, attributes]) =>
    /stroke="#/.test(attributes ?? ""),
  );
  expect(strokes.length).toBeGreaterThanOrEqual(5); // three contenders, two directions
});

test("beside the MPIs, a bar a family and MPI tells ours and its mean over sizes", async () => {
  const cells = [1024, 4096].flatMap((packedBytes) => [
    row("x64", 10, { packedBytes, workload: "FFT2/0" }),
    row("openmpi-4.1.4", packedBytes === 1024 ? 20 : 80, { packedBytes, workload: "FFT2/1" }),
    row("openmpi-4.1.4", packedBytes === 1024 ? 20 : 80, { packedBytes, workload: "FFT2/0" }),
  ]);
  const svg = (await svgs(run(cells)))["beside-mpis"] ?? "";
  expect(svg).toContain("Packing by Stowage beside the MPIs");
  expect(svg).toMatch(/family: FFT2[^"]*contender: openmpi-4\.1\.4/);
  expect(svg).toMatch(/\(geometric mean[^"]*: 4;/);
  expect(svg).toContain("Stowage (x64)");
});

/** A picture as wide as a phone is scaled to its 390 pixels; text of 10 pixels in one wider than this is below 8. */
const MOST_WIDTH = 460;

test("plots are legible at the width of a phone", async () => {
  const families = ["WRF_x_vec/0", "MILC_su3_zdown/1", "SPECFEM3D_oc/0"].flatMap((workload) => [
    ...rows.map((each) => ({ ...each, workload })),
    row("openmpi-4.1.4", 40, { workload }),
  ]);
  for (const [name, svg] of Object.entries(await svgs(run(families)))) {
    const width = Number(/<svg[^>]* width="(\d+)"/.exec(svg)?.[1]);
    expect(width, name).toBeGreaterThan(0);
    expect(width, name).toBeLessThanOrEqual(MOST_WIDTH);
  }
});

test("each machine has plots of its own", () => {
  const names = plotsOf([run(rows, EPYC), run(rows, XEON)]).map(({ name }) => name);
  expect(names).toContain("speed-up.2-cores-of-amd-epyc");
  expect(names).toContain("speed-up.16-cores-of-xeon");
  expect(names).toHaveLength(8);
});

test("who both commits and calls quicker has nothing to repay", () => {
  const found = breakEven([row("x64", 10, { commitNs: 500 }), row("cpu", 100, { commitNs: 1000 })]);
  expect(found).toEqual([]);
  expect(breakEven([row("x64", 10, { commitNs: 10_000 }), row("cpu", 100, { commitNs: 1000 })])).toMatchObject([
    { contender: "x64", over: "cpu", calls: 100 },
  ]);
});
