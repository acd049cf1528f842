import { UNCALIBRATED } from "@stowage/backend-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostRules, type HostRule, type HostTimeOf } from "../../src/routes/host-rules.js";
import { HostTimes, type HostMessage, type HostWay } from "../../src/routes/host-times.js";

/** As c/host/host-table.c looks it up: the last that fits. */
const lookedUp = (rules: readonly HostRule[], { bytes, runBytes, isOfColumns }: HostMessage): HostWay =>
  rules.findLast((rule) => rule.bytes <= bytes && rule.runBytes <= runBytes && (isOfColumns || !rule.isOfColumns))
    ?.way ?? "through";

const messages = fc.oneof(
  fc.record({
    bytes: fc.integer({ min: 12, max: 24 }).map((power) => 2 ** power),
    runBytes: fc.constantFrom(8, 64, 512, 4096),
    isOfColumns: fc.constant(false),
  }),
  fc.record({
    bytes: fc.integer({ min: 12, max: 24 }).map((power) => 2 ** power),
    runBytes: fc.constantFrom(8, 16, 32),
    isOfColumns: fc.constant(true),
  }),
);
const factors = fc.array(fc.double({ min: 0.2, max: 5, noNaN: true }), { minLength: 12 });

test("no way that is looked up is predicted to take a twentieth more than the other, at sizes and runs that were asked for", () => {
  fc.assert(
    fc.property(factors, messages, (all, message) => {
      const timeOf: HostTimeOf = (way, { bytes, runBytes, isOfColumns }) =>
        all[(Math.log2(bytes) * 7 + runBytes * 3 + (isOfColumns ? 5 : 0) + (way === "past" ? 1 : 0)) % all.length] ?? 1;
      const way = lookedUp(hostRules(timeOf), message);
      const other = way === "past" ? "through" : "past";
      expect(timeOf(way, message)).toBeLessThan(timeOf(other, message) / 0.95 + 1e-9);
    }),
  );
});

test("runs and sizes that change nothing have no rule", () => {
  expect(hostRules((way) => (way === "past" ? 1 : 2))).toEqual([
    { bytes: 4096, runBytes: 0, isOfColumns: false, way: "past" },
    { bytes: 4096, runBytes: 0, isOfColumns: true, way: "past" },
  ]);
});

const ways = (mpi: "openmpi" | "mpich", profile = UNCALIBRATED): readonly HostRule[] => {
  const times = new HostTimes(profile, mpi);
  return hostRules((way, message) => times.ofMessage(way, message));
};

test("long fragments whose places are taken again lose to pieces, short ones do not but where each has a part of a column", () => {
  const rows = { bytes: 65_536, runBytes: 512, isOfColumns: false };
  const columns = { bytes: 2 ** 20, runBytes: 16, isOfColumns: true };
  expect([rows, columns].map((message) => lookedUp(ways("openmpi"), message))).toEqual(["past", "past"]);
  expect([rows, columns].map((message) => lookedUp(ways("mpich"), message))).toEqual(["through", "past"]);
});

test("what lines between cores take is the profile's, of its messages of that MPI", () => {
  const slow = { "messageNs.262144": 1e5, "messageNs.1048576": 1e6 };
  const profile = { machine: "one", figures: { ...UNCALIBRATED.figures, "openmpi-9": slow } };
  const message = { bytes: 65_536, runBytes: 512, isOfColumns: false };
  const nsOf = (of = UNCALIBRATED): number => new HostTimes(of, "openmpi").ofMessage("past", message);
  expect(nsOf(profile)).toBeGreaterThan(5 * nsOf());
});
