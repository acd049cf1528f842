import { describe, expect, it } from "vitest";
import { fillInitial, partOf, serialBox } from "../../src/applications/domain.js";
import { applyStencil } from "../../src/applications/stencil-loops.js";
import { stencilPtx } from "../../src/applications/stencil-ptx.js";
import { flopsOf, STENCILS, valuesOf, type Element } from "../../src/applications/stencil.js";

const [flat, cube] = [STENCILS["stencil-2d"], STENCILS["stencil-3d"]];

describe("the papers' stencils", () => {
  it("have nine points and 11 operations, as SHOC counts, and 26 neighbours", () => {
    expect(flat.terms.map(({ steps }) => steps.length)).toEqual([1, 4, 4]);
    expect(flopsOf(flat)).toBe(11);
    expect(cube.terms.map(({ steps }) => steps.length)).toEqual([26]);
  });

  it.each<Element>(["float", "double"])("are what their definition says, each operation rounded to a %s", (element) => {
    const sizes = [5, 6];
    const round = element === "float" ? Math.fround : (value: number) => value;
    const from = valuesOf(element, 30).map((_, i) => round(Math.sin(i * i + 1)));
    const to = valuesOf(element, 30);
    applyStencil(flat, element, [from, to], sizes, { low: [1, 1], high: [4, 5] });
    const sum = (...at: number[]): number => at.map((i) => from[i] as number).reduce((a, b) => round(a + b));
    for (let row = 1; row < 4; row++)
      for (let column = 1; column < 5; column++) {
        const at = row * 6 + column;
        const centre = round(round(0.25) * (from[at] as number));
        const near = round(round(0.15) * sum(at - 6, at - 1, at + 1, at + 6));
        const far = round(round(0.05) * sum(at - 7, at - 5, at + 5, at + 7));
        expect(to[at]).toBe(round(round(centre + near) + far));
      }
    expect(to[0]).toBe(0);
  });

  it("as PTX load each point once, at a constant distance", () => {
    const text = stencilPtx(cube, "float", [12, 10, 8]);
    expect(text.match(/ld\.global\.f32/g)).toHaveLength(26);
    expect(text).toContain(`[%from+${-(2 * 80 + 2 * 8 + 2) * 4}]`);
    expect(text).toContain("mul.rn.f32 %value, %sum, 0f3d1d89d9;");
  });
});

describe("parts of a stencil", () => {
  it("cover the whole, unequal where that is asked for", () => {
    const parts = [0, 1, 2, 3, 4, 5].map((rank) => partOf(cube, [3, 2, 1], rank, 20, true));
    const points = parts.map(({ inner }) => inner.reduce((a, b) => a * b, 1));
    expect(points.reduce((a, b) => a + b, 0)).toBe((parts[0]?.whole ?? []).reduce((a, b) => a * b, 1));
    expect(new Set(points).size).toBeGreaterThan(1);
    expect(parts[5]?.origin).toEqual([19 + 16, 18, 0]);
  });

  it.each([flat, cube])("hold NaN where a neighbour's points are to come, $name", (stencil) => {
    const grid = stencil.periodic ? [2, 1, 1] : [2, 1];
    const part = partOf(stencil, grid, 0, 6, false);
    const values = valuesOf(
      "double",
      part.sizes.reduce((a, b) => a * b, 1),
    );
    const origin = part.origin.map((at) => at - stencil.radius);
    fillInitial(stencil, values, part.sizes, { origin, whole: part.whole, ghosts: part });
    const own = part.inner.reduce((a, b) => a * b, 1);
    // Where the whole is no ring, only the edge to the other part is to come.
    const ghosts = stencil.periodic ? values.length - own : 6;
    expect(values.filter(Number.isNaN)).toHaveLength(ghosts);
  });

  it.each([flat, cube])("come to the same by a box and by a larger one, $name", (stencil) => {
    const whole = stencil.periodic ? [9, 7, 8] : [9, 7];
    const low = whole.map(() => 2);
    const small = serialBox(stencil, "double", whole, { low, high: low.map((at) => at + 1) }, 3);
    const large = serialBox(stencil, "double", whole, { low: whole.map(() => 0), high: whole }, 3);
    const at = (box: typeof small, point: readonly number[]): number =>
      box.values[
        point.reduce((index, to, k) => index * (box.sizes[k] as number) + (box.low[k] as number) + to, 0)
      ] as number;
    expect(
      at(
        small,
        whole.map(() => 0),
      ),
    ).toBe(at(large, low));
  });
});
