import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { runInterposed } from "../../src/index.js";

const hasGpu = ["/dev/nvidiactl", "/dev/dxg"].some((device) => existsSync(device));
const before = process.env["STOWAGE_CACHE"];
afterEach(() => {
  if (before === undefined) delete process.env["STOWAGE_CACHE"];
  else process.env["STOWAGE_CACHE"] = before;
});

test("of routes of device messages nothing is said on a machine without a GPU, though no table can be kept", async () => {
  process.env["STOWAGE_CACHE"] = "/proc/nonexist/cache";
  const said: string[] = [];
  expect(await runInterposed(["true"], {}, (line) => said.push(line))).toEqual({ status: 0 });
  // What has no folder is told, once for what it keeps from its work.
  expect(said.filter((line) => line.startsWith("/proc/nonexist/cache: expected a folder")).length).toBeGreaterThan(0);
  expect(said.some((line) => line.includes("device messages go by the routes of H200s"))).toBe(hasGpu);
});
