import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FreeSpace } from "../../src/memory/free-space.js";

it("takes what is free, the lowest from a least place on, and is whole again when all is given back", () => {
  const steps = fc.array(
    fc.record({
      bytes: fc.integer({ min: 1, max: 40 }),
      gives: fc.boolean(),
      which: fc.nat(),
      least: fc.integer({ min: 0, max: 200 }),
    }),
  );
  fc.assert(
    fc.property(steps, (all) => {
      const space = new FreeSpace(200);
      const owner = new Array<boolean>(200).fill(false);
      const taken: (readonly [number, number])[] = [];
      const mark = ([start, bytes]: readonly [number, number], now: boolean): void => {
        for (let at = start; at < start + bytes; at++) {
          expect(owner[at]).toBe(!now);
          owner[at] = now;
        }
      };
      const isFree = (start: number, bytes: number): boolean =>
        start + bytes <= 200 && !owner.slice(start, start + bytes).includes(true);
      for (const { bytes, gives, which, least } of all) {
        if (gives && taken.length > 0) {
          const [piece] = taken.splice(which % taken.length, 1);
          mark(piece!, false);
          const { startBytes, endBytes } = space.giveBack(...piece!);
          expect(isFree(startBytes, endBytes - startBytes)).toBe(true);
          expect([owner[startBytes - 1] ?? true, owner[endBytes] ?? true]).toEqual([true, true]);
        } else {
          const start = space.take(bytes, least);
          const lowest = owner.findIndex((_, at) => at >= least && isFree(at, bytes));
          expect(start).toBe(lowest === -1 ? undefined : lowest);
          if (start === undefined) continue;
          mark([start, bytes], true);
          taken.push([start, bytes]);
        }
      }
      for (const piece of taken) space.giveBack(...piece);
      expect(space.take(200)).toBe(0);
    }),
  );
});
