import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const RULES = 11;
/** Lines of `collectives.c`. */
const COLLECTIVES = 4;
const STAGED = { variables: ["STOWAGE_STAGED=on"] };
/** Of each length a few messages, the largest 8 KB. */
const SHORT = ["20"];

describe.each(INSTALLED)("$name, given packed bytes", (mpi) => {
  test("tells and receives what it does natively: statuses, probes, short messages, and requests in each way", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "staged.c", ["-w"]), ...SHORT];
      const native = ran(surroundings, 2, words).output;
      expect(native.trim().split("\n")).toHaveLength(RULES);
      expect(ran(surroundings, 2, words, STAGED).output).toBe(native);
      await codeHasCome(surroundings);
      const warm = ran(surroundings, 2, words, { ...STAGED, verify: true });
      expect(warm.output).toBe(native);
      expect(warm.errors).toContain("packing into memory of ours (staged): STOWAGE_STAGED=on");
      const { ourMessages, ranges, differences } = countsOf(warm);
      expect(differences).toBe(0);
      expect(ourMessages).toBeGreaterThan(1000);
      expect(ranges).toBeGreaterThan(1000);
    }));

  test("receives the same bytes in every other way of a program, and in structs that the MPI's fragments cut", () =>
    within(mpi, async (surroundings) => {
      for (const words of [[compiled(surroundings, "rules.c"), "1", "4"], [compiled(surroundings, "fragments.c")]]) {
        const native = ran(surroundings, 2, words, { variables: ["STOWAGE_SERVICE=", "STOWAGE_CACHE="] }).output;
        ran(surroundings, 2, words, STAGED);
        await codeHasCome(surroundings);
        const warm = ran(surroundings, 2, words, { ...STAGED, verify: true });
        expect(warm.output).toBe(native);
        expect(countsOf(warm).differences).toBe(0);
        expect(countsOf(warm).ourMessages).toBeGreaterThan(100);
      }
    }));

  test("gives collectives packed bytes too, of one type and of a type each, in place and among neighbours", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "collectives.c");
      for (const ranks of [2, 3]) {
        const words = [program, String(ranks), "6"];
        const native = ran(surroundings, ranks, words).output;
        expect(native.trim().split("\n")).toHaveLength(COLLECTIVES);
        expect(ran(surroundings, ranks, words, STAGED).output).toBe(native);
        await codeHasCome(surroundings);
        const warm = ran(surroundings, ranks, words, { ...STAGED, verify: true });
        expect(warm.output).toBe(native);
        expect(countsOf(warm).differences).toBe(0);
        expect(countsOf(warm).ourMessages).toBeGreaterThan(100);
      }
    }));
});
