import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeHasCome, INSTALLED, ran, within } from "../programs/ranks.js";
import { withStandIn } from "./stand-in.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const ROWS = read("../../c/hooks/rows.h");
const CALLS = read("each-call.h");
/** Those that have no buffers on devices, or take none there. */
const OTHERS = ["files.c", "windows.c", "past-contiguous.c"].map((name) => read(`../programs/${name}`)).join("");
const TAKES_NONE = /^Isendrecv/;
/** Where calls stand that may have memory of a device. */
const DEVICE_GATES = ["GATE_DEVICE", "GATE_SENDS", "GATE_RECEIVES"];
/** Calls of rows that have forms with large counts. */
const COUNTED = [...ROWS.matchAll(/^COUNTED\((\w+), \d+, (\w+)\)/gm)].map(([, name, gate]) => ({
  name: `MPI_${name}`,
  calls: mayBeOnDevice(name ?? "", gate ?? "") ? CALLS : OTHERS,
}));

function mayBeOnDevice(name: string, gate: string): boolean {
  return (DEVICE_GATES.includes(gate) && !TAKES_NONE.test(name)) || /pack$/i.test(name);
}

test("the programs make each call that has counts", () => {
  expect(COUNTED.length).toBeGreaterThan(40);
  expect(COUNTED.filter(({ name, calls }) => !new RegExp(`\\b${name}\\b`).test(calls))).toEqual([]);
});

test.each(INSTALLED)(
  "$name: each call, with counts of int and large ones, receives into memory of a device what it receives on the host",
  (mpi) =>
    within(mpi, async (surroundings) => {
      const program = withStandIn(surroundings.folder, mpi, "each-call.c");
      const onHost = ran(surroundings, 2, [program, "host"]).output;
      expect(onHost).toContain("MPI_Neighbor_allgatherv");
      expect(ran(surroundings, 2, [program, "device"], {}).output).toBe(onHost);
      await codeHasCome(surroundings);
      expect(ran(surroundings, 2, [program, "device"], { verify: true }).output).toBe(onHost);
    }),
);
