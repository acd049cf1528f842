import { canonicalise, layoutHash, lower, printLayout, sameLayout, stridedBlock } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { workload, workloadNames } from "../../src/index.js";

const objects = [
  { object: "row", counts: [400] },
  { object: "plane", counts: [400, 13] },
  { object: "cuboid", counts: [400, 13, 47] },
];

describe.each(objects)("every construction of one $object (TEMPI, section 2 and Figure 2)", ({ object, counts }) => {
  const names = workloadNames("tempi").filter((name) => name.startsWith(`${object}/`));
  const canonical = (name: string) => canonicalise(lower(workload(name).datatype));
  const [first = ""] = names;

  test("is one of several", () => {
    expect(names.length).toBeGreaterThanOrEqual(7);
  });

  test.each(names)("%s reaches the same canonical layout", (name) => {
    expect(printLayout(canonical(name))).toBe(printLayout(canonical(first)));
    expect(sameLayout(canonical(name), canonical(first))).toBe(true);
    expect(layoutHash(canonical(name))).toBe(layoutHash(canonical(first)));
  });

  test("is the strided block of Figure 2", () => {
    expect(stridedBlock(canonical(first))?.counts).toEqual(counts);
  });
});
