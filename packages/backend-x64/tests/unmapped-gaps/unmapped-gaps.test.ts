import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { probeMachine } from "../../src/memory/machine.js";

const seed = Number(process.env["STOWAGE_SEED"] ?? 20_261_122);
const runs = Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 1000) / 3);
const script = fileURLToPath(new URL("move-around-holes.mjs", import.meta.url));

// A read of an unmapped page ends the process, so that it must be another one.
test.runIf("machine" in probeMachine())("no page is read but those that hold a byte of the range", () => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [script, String(seed), String(runs)], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const last = stdout.slice(stdout.lastIndexOf("\n", Math.max(0, stdout.length - 2000)));
  expect({ status, signal }, `seed ${seed}\n${last}\n${stderr.slice(0, 2000)}`).toEqual({ status: 0, signal: null });
});
