import { parseResults } from "@stowage/bench/results";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-interrupt-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("control-C keeps the cells that are whole, drops the one under way, and says so in one line", async () => {
  const out = join(folder, "rows.json");
  const types = ["NAS_LU_x/0", "NAS_LU_x/1", "NAS_LU_x/2"];
  const args = ["bench", "--peers", ...types, "--backend", "cpu", "--size", "4KiB", "--budget", "150", "--out", out];
  // A group of its own, as a terminal makes one: the signal goes to all of it.
  const child = spawn(process.execPath, [STOWAGE, ...args], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: "/", STOWAGE_MPI: "/no/such/mpi" },
  });
  let err = "";
  child.stderr.on("data", (text) => (err += String(text)));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  while (!existsSync(out) && child.exitCode === null) await setTimeout(10);
  process.kill(-(child.pid as number), "SIGINT");
  expect(await ended).toBe(130);
  const { rows } = parseResults(readFileSync(out, "utf8"), out);
  // Both directions of the first, and of each contender all modes: nothing of the second.
  expect(new Set(rows.map(({ workload }) => workload))).toEqual(new Set(["NAS_LU_x/0"]));
  const shapes = (["cpu", "memcpy"] as const).map((name) =>
    rows.filter(({ contender }) => contender === name).map(({ direction, mode }) => `${direction} ${mode}`),
  );
  expect(shapes[0]).toEqual(["pack call", "pack bound", "unpack call", "unpack bound"]);
  expect(shapes[1]).toEqual(shapes[0]);
  const lines = err.split("\n").filter((line) => !/STOWAGE_MPI|c-O3|pinned|memory that processes share/.test(line));
  expect(lines).toEqual([
    `stowage: bench: expected to finish, got SIGINT; ${rows.length} rows measured so far were kept`,
    "",
  ]);
});
