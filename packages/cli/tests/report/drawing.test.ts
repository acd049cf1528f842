import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireDrawing } from "../../src/report/require-drawing.js";

test("what draws plots is no dependency of the command, and where it is not there a line says how to install it", () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as Record<string, Record<string, unknown>>;
  expect(Object.keys(dependencies ?? {}).filter((name) => name.startsWith("vega"))).toEqual([]);
  expect(Object.keys(peerDependencies ?? {})).toEqual(["vega", "vega-lite"]);
  expect(peerDependenciesMeta).toEqual({ vega: { optional: true }, "vega-lite": { optional: true } });
  const elsewhere = createRequire(join(tmpdir(), "nowhere", "module.js")).resolve;
  expect(() => requireDrawing("--plots", elsewhere)).toThrow(
    "--plots: expected vega and vega-lite, which draw plots, to be installed, got no vega: npm install vega vega-lite",
  );
  requireDrawing("--plots");
});
