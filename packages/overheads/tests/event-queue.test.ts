import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "../src/simulate/event-queue.js";

describe("EventQueue", () => {
  it("gives events by time, and of one time in the order in which they came", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 2000 }), (times) => {
        const queue = new EventQueue();
        times.forEach((time, event) => queue.push(time, event));
        const expected = times
          .map((time, event) => ({ time, event }))
          .sort((a, b) => a.time - b.time || a.event - b.event);
        const got = times.map(() => ({ time: queue.nextTime, event: queue.pop() }));
        expect(got).toEqual(expected);
        expect(queue.length).toBe(0);
      }),
    );
  });
});
