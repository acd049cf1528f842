import { conditions, packMove, UNCALIBRATED } from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import { expect, test } from "vitest";
import { CpuBackend } from "../../src/index.js";

test.each([1, 3, 8, 200, 300])("no prediction falls where elements of %i bytes grow to a long block", (bytes) => {
  const backend = new CpuBackend();
  for (const moves of [[bytes], [bytes, 1], [bytes, 200]].map((sizes) =>
    sizes.map((size) => packMove(denseLayout(size))),
  )) {
    let before = 0;
    for (let count = 0; count < 300; count++) {
      const { runNs } = backend.predict(moves, conditions({ count }), UNCALIBRATED);
      expect(runNs).toBeGreaterThanOrEqual(before);
      before = runNs;
    }
  }
});
