import fc from "fast-check";
import { expect, test } from "vitest";
import { deviceRules, type DeviceRule, type TimeOf } from "../../src/routes/device-rules.js";
import type { DeviceRoute } from "../../src/routes/device-times.js";

/**
 * As c/gpu/route-table.c looks it up: the last that fits; of bytes that are wanted at once the last that is not of
 * pieces.
 */
const lookedUp = (rules: readonly DeviceRule[], bytes: number, block: number, inPieces: boolean): DeviceRoute =>
  rules.findLast((rule) => rule.bytes <= bytes && rule.blockBytes <= block && (inPieces || rule.route !== "pipelined"))
    ?.route ?? "one-shot";

const powers = fc.integer({ min: 10, max: 28 }).map((power) => 2 ** power);
const factors = fc.double({ min: 0.2, max: 5, noNaN: true });

test("no route that is looked up is predicted to take a twentieth more than another, at sizes and blocks that were asked for", () => {
  fc.assert(
    fc.property(
      fc.array(factors, { minLength: 12 }),
      powers,
      fc.constantFrom(8, 64, 512, 4096),
      (all, bytes, block) => {
        const timeOf: TimeOf = (route, size, length) =>
          all[
            (Math.log2(size) * 7 + length * 3 + (route === "device" ? 1 : route === "pipelined" ? 2 : 0)) % all.length
          ] ?? 1;
        const rules = deviceRules(timeOf);
        const routes = ["one-shot", "device", "pipelined"] as const;
        const [message, whole] = [true, false].map((inPieces) =>
          timeOf(lookedUp(rules, bytes, block, inPieces), bytes, block),
        );
        const least = (of: readonly DeviceRoute[]): number =>
          Math.min(...of.map((route) => timeOf(route, bytes, block)));
        expect(message).toBeLessThan(least(routes) / 0.95 / 0.95 + 1e-9);
        expect(whole).toBeLessThan(least(routes.slice(0, 2)) / 0.95 + 1e-9);
      },
    ),
  );
});

test("blocks and sizes that change nothing have no rule", () => {
  expect(deviceRules((route) => (route === "device" ? 1 : 2))).toEqual([{ bytes: 0, blockBytes: 0, route: "device" }]);
  const bySize: TimeOf = (route, bytes) => (route === "pipelined" && bytes >= 2 ** 20 && bytes < 2 ** 22 ? 1 : 2);
  expect(deviceRules(bySize)).toEqual([
    { bytes: 0, blockBytes: 0, route: "one-shot" },
    { bytes: 2 ** 20, blockBytes: 0, route: "pipelined" },
    { bytes: 2 ** 22, blockBytes: 0, route: "one-shot" },
  ]);
});
