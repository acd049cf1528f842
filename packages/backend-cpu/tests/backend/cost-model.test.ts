import { conditions, packMove, UNCALIBRATED } from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import { expect, test } from "vitest";
import { CpuBackend } from "../../src/index.js";

test.each([1, 3, 8, 200, 300])("no prediction falls where elements of %i bytes grow to a long block", (bytes) => {
  const backend = new CpuBackend();
  for (const moves of [[bytes], [bytes, 1], [bytes, 200]].map((sizes) =>
    sizes.map((size) => packMove(denseLayout(size))),
  )) {
    const predictions = Array.from(
      { length: 300 },
      (_, count) => backend.predict(moves, conditions({ count }), UNCALIBRATED).runNs,
    );
    expect(predictions).toEqual(predictions.toSorted((a, b) => a - b));
  }
});
