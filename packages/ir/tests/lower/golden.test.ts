import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { boundsOf, lower, parseDatatype } from "../../src/index.js";
import { goldenBuffer, goldens } from "./golden.js";
import { packed } from "./packed.js";

test("bounds are those of Open MPI 4.1.4 on all 500 datatypes", () => {
  const differing = goldens.filter((golden) => {
    const bounds = boundsOf(parseDatatype(golden.type), { bounds: "open-mpi" });
    return (
      bounds.sizeBytes !== golden.size ||
      bounds.lowerBoundBytes !== golden.lb ||
      bounds.extentBytes !== golden.extent ||
      bounds.trueLowerBoundBytes !== golden.true_lb ||
      bounds.trueExtentBytes !== golden.true_extent
    );
  });
  expect(goldens).toHaveLength(500);
  expect(differing).toEqual([]);
});

test("a plain walk over the layout packs the bytes that Open MPI 4.1.4 packs, on all 500 datatypes", () => {
  const differing = goldens.filter((golden) => {
    const layout = lower(parseDatatype(golden.type), { bounds: "open-mpi" });
    const bytes = packed(goldenBuffer(golden.buffer), golden.origin, layout, golden.count);
    return createHash("sha256").update(bytes).digest("hex") !== golden.sha256;
  });
  expect(differing).toEqual([]);
});
