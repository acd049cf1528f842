import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAUSES, simulateHalo, type HaloOptions, type Terms } from "../src/index.js";
import { DIRECTIONS, neighbour, opposite, torusOf } from "../src/simulate/torus.js";

const NOTHING: Terms = {
  ...{ stackNs: 0, requestNs: 0, matchNs: 0, unexpectedNs: 0, waitanyNs: 0 },
  ...{ checkNs: 0, packNsPerByte: 0, alltoallvNsPerRank: 0, wireNs: 0, wireNsPerByte: 0 },
};
const halo = (terms: Partial<Terms>, options: Partial<HaloOptions> = {}) =>
  simulateHalo({
    ...{ ranks: 64, gridPoints: 32, iterations: 3, mode: "messages", skewNs: 0, seed: 1 },
    ...options,
    terms: { ...NOTHING, ...terms },
  });

const someTerms = fc.record(
  Object.fromEntries(Object.keys(NOTHING).map((name) => [name, fc.double({ min: 0, max: 100, noNaN: true })])),
) as fc.Arbitrary<Terms>;

describe("a simulated halo exchange", () => {
  it("sends six messages a rank and exchange, and loses none", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 4 }),
        someTerms,
        (ranks, iterations, terms) => {
          const { messages, exchangeNs, causes } = halo(terms, { ranks, iterations, skewNs: 50 });
          expect(messages).toBe(ranks * iterations * DIRECTIONS);
          expect(causes.waiting).toBeGreaterThanOrEqual(-1e-6 * (1 + exchangeNs));
          expect(CAUSES.reduce((sum, cause) => sum + causes[cause], 0)).toBeCloseTo(exchangeNs, 3);
        },
      ),
    );
  });

  it("is the same for the same seed", () => {
    const once = () => halo({ stackNs: 30, wireNs: 1000 }, { skewNs: 300, seed: 9 });
    expect(once()).toEqual(once());
    expect(halo({ stackNs: 30, wireNs: 1000 }, { skewNs: 300, seed: 10 })).not.toEqual(once());
  });

  it("takes one latency where nothing else costs", () => {
    expect(halo({ wireNs: 1500 }).exchangeNs).toBeCloseTo(1500);
  });

  it("takes twelve stacks of a processor that does one thing at a time", () => {
    // Six sends, then six receives; every message has come by then.
    expect(halo({ stackNs: 10 }).exchangeNs).toBeCloseTo(120);
    expect(halo({ stackNs: 10 }).causes.stack).toBeCloseTo(120);
  });

  it("carries one message at a time over a link", () => {
    // 64 ranks of 8 x 8 x 8 points: six faces of 512 bytes.
    expect(halo({ wireNsPerByte: 1 }).exchangeNs).toBeCloseTo(6 * 512);
  });

  it("packs faces across x alone element by element, rows across y, nothing across z", () => {
    const bytes = 512;
    expect(halo({ packNsPerByte: 1 }).causes.pack).toBeCloseTo(2 * 2 * bytes * (1 + 1 / 8));
  });

  it("pays for every rank where halos go by alltoallv", () => {
    expect(halo({ alltoallvNsPerRank: 2 }, { mode: "alltoallv" }).causes.sparse).toBeCloseTo(128);
  });

  it("meets unexpected messages where ranks start apart, and none where they start together", () => {
    expect(halo({ wireNs: 1000, stackNs: 10 }).unexpectedShare).toBe(0);
    expect(halo({ wireNs: 10, stackNs: 10 }, { skewNs: 1000 }).unexpectedShare).toBeGreaterThan(0);
  });
});

describe("a torus", () => {
  it("has the ranks that were asked for, and every neighbour's neighbour back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (ranks, any) => {
        const torus = torusOf(ranks, 64);
        const [x, y, z] = torus.sizes;
        expect(x * y * z).toBe(ranks);
        const rank = any % ranks;
        for (let direction = 0; direction < DIRECTIONS; direction++)
          expect(neighbour(torus, neighbour(torus, rank, direction), opposite(direction))).toBe(rank);
      }),
    );
  });
});
