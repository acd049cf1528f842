import { boundsOf } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import {
  describeWorkload,
  nearestPackedBytes,
  WORKLOAD_GROUPS,
  workload,
  WorkloadError,
  workloadNames,
} from "../src/index.js";

const names = workloadNames();

describe("every workload", () => {
  test("has a name of its own", () => {
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(names)("%s packs to the size it says", (name) => {
    const { datatype, count, packedBytes } = workload(name);
    expect(boundsOf(datatype).sizeBytes * count).toBe(packedBytes);
    expect(describeWorkload(name).defaultPackedBytes).toBe(packedBytes);
  });

  test.each(names)("%s scales to the packed size nearest to 100,000 bytes", (name) => {
    const packedBytes = nearestPackedBytes(name, 100_000);
    const { datatype, count } = workload(name, { packedBytes });
    expect(boundsOf(datatype).sizeBytes * count).toBe(packedBytes);
  });

  test.each(names)("%s is described in one line with its source", (name) => {
    const { description, source } = describeWorkload(name);
    expect(description).toMatch(/^[^\n]{8,}$/);
    expect(source).toMatch(/^[^\n]{8,}$/);
  });

  test.each(["LAMMPS_full/0", "SPECFEM3D_cm/1", "vblock/3", "indexed-random"])("%s is the same every time", (name) => {
    expect(workload(name).datatype).toEqual(workload(name).datatype);
  });

  test("belongs to one group", () => {
    expect(WORKLOAD_GROUPS.flatMap((group) => workloadNames(group))).toEqual(names);
  });
});

describe("what cannot be is refused in one clear line", () => {
  test("an unknown name: the nearest is offered", () => {
    expect(() => workload("MILC_su3_zdwon/0")).toThrow(
      new WorkloadError("workload", "a known name; is it MILC_su3_zdown/0?", '"MILC_su3_zdwon/0"'),
    );
  });

  test("a size between two that the type can have", () => {
    expect(() => workload("lu-column", { packedBytes: 1024 })).toThrow(
      "packed bytes of lu-column: expected a size it can have, such as 1000 or 1040, got 1024",
    );
  });

  test("a size below the smallest", () => {
    expect(() => workload("MILC_su3_zdown/3", { packedBytes: 8 })).toThrow("such as 12288, got 8");
  });

  test.each([0, -1, 1.5, NaN, Infinity, 1e300, 2n, "8", null])("a size of %s", (size) => {
    const packedBytes = size as number;
    expect(() => workload("contiguous", { packedBytes })).toThrow("expected a positive integer");
    expect(() => nearestPackedBytes("contiguous", packedBytes)).toThrow("expected a positive integer");
  });

  test.each([null, undefined, 5, {}, Symbol("x")])("a name of %s", (name) => {
    for (const ask of [workload, describeWorkload, (given: string) => nearestPackedBytes(given, 8)]) {
      expect(() => ask(name as string)).toThrow(WorkloadError);
    }
  });

  test.each([
    [null, "options: expected an object, got null"],
    [{ size: 8 }, 'options: expected packedBytes alone, got "size"'],
  ])("the options %o", (options, message) => {
    expect(() => workload("contiguous", options as never)).toThrow(message);
  });
});

test.each([1024, 32 * 1024, 1 << 20, 1 << 24])("types of the peers' tables come near %i bytes", (packedBytes) => {
  for (const name of ["vector-1of2", "su3-rows", "lu-column", "wrf-x-rows", "wrf-y-rows", "fft2-transpose"]) {
    const near = nearestPackedBytes(name, packedBytes);
    if (name !== "su3-rows" || packedBytes > 4608) expect(near / packedBytes).toBeCloseTo(1, 0);
  }
});
