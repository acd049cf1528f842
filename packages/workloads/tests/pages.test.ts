import { boundsOf, signatureOf } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { PAGED_COPIES, workload, workloadNames } from "../src/index.js";

describe.each(PAGED_COPIES)("$name", ({ name, groups, placed, description, source }) => {
  test("moves as many bytes, of one signature, on both sides", () => {
    for (const { page } of groups) {
      expect(boundsOf(page.target).sizeBytes).toBe(boundsOf(page.source).sizeBytes);
      expect(signatureOf(page.target)).toEqual(signatureOf(page.source));
    }
  });

  test("has as many pools on both sides, whose pages do not meet", () => {
    for (const group of groups) {
      expect(group.target.firstBytes.length).toBe(group.source.firstBytes.length);
      for (const side of ["source", "target"] as const) {
        const { strideBytes, entries, firstBytes, isShared } = group[side];
        const { sizeBytes, trueExtentBytes } = boundsOf(group.page[side]);
        // Pages of entries.of entries fill no more than those entries span.
        expect(entries.used * sizeBytes).toBeLessThanOrEqual(entries.of * strideBytes);
        if (entries.used === 1 && entries.of === 1) expect(trueExtentBytes).toBeLessThanOrEqual(strideBytes);
        if (isShared) expect(Math.max(...firstBytes) + trueExtentBytes).toBeLessThanOrEqual(strideBytes);
      }
    }
    expect(["both", "source", "target"]).toContain(placed);
  });

  test("is a workload, too: the pages that it reads of its first pool", () => {
    expect(workloadNames("pages")).toContain(name);
    const { packedBytes } = workload(name);
    expect(packedBytes).toBe(256 * boundsOf((groups[0] as (typeof groups)[number]).page.source).sizeBytes);
    expect([description, source].every((text) => text.length > 8)).toBe(true);
  });
});
