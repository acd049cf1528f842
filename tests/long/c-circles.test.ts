import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CIRCLES = fileURLToPath(new URL("../../scripts/c-circles.mjs", import.meta.url));

test("folders of the interposer's C call each other in one direction", { timeout: 300_000 }, () => {
  const { status, stderr } = spawnSync(process.execPath, [CIRCLES], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
