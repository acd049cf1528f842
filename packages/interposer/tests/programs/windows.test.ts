import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within } from "./ranks.js";

const KINDS = ["create", "allocate", "allocate_shared"];
const RIGHT = KINDS.map((kind) => `${kind}: 0 targets, 0 origins wrong\n`).join("");

describe.each(INSTALLED)("windows under $name", (mpi) => {
  test("have what was put and give what is got, natively, while code arrives, and by our code, which --verify compares", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "windows.c"), "1", "2"];
      expect(ran(surroundings, 2, words).output).toBe(RIGHT);
      expect(ran(surroundings, 2, words, {}).output).toBe(RIGHT);
      await codeHasCome(surroundings);
      const warm = ran(surroundings, 2, [...words, "looks"], { verify: true });
      expect(warm.output).toBe(RIGHT);
      const { ourMessages, ourBytes, nativeBytes, ranges, differences } = countsOf(warm);
      expect(differences).toBe(0);
      expect(ranges).toBeGreaterThan(0);
      expect(ourMessages).toBeGreaterThan(100);
      expect(ourBytes).toBeGreaterThan(3 * nativeBytes);
    }));
});
