import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("declarations: every kind of project by every release of TypeScript from the least on, each entry point alone", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["outside/declarations.mjs"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^\d{2,} passed, 0 failed$/m);
}, 1_800_000);
