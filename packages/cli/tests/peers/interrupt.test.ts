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
  // So many that a run takes many times what it takes to see its first rows, on a machine that is busy too.
  const types = ["NAS_LU_x", "NAS_LU_y"].flatMap((name) => Array.from({ length: 7 }, (_, i) => `${name}/${i}`));
  types.push(...Array.from({ length: 15 }, (_, i) => `FFT2/${i}`));
  const args = ["bench", "--peers", ...types, "--backend", "cpu", "--size", "4KiB", "--budget", "20", "--out", out];
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
  const kept = [...new Set(rows.map(({ workload, direction }) => `${workload} ${direction}`))];
  const cells = types.flatMap((type) => [`${type} pack`, `${type} unpack`]);
  expect(kept).toEqual(cells.slice(0, kept.length));
  expect(kept.length).toBeLessThan(cells.length);
  const ofCell = (cell: string): readonly string[] =>
    rows.flatMap((row) => (`${row.workload} ${row.direction}` === cell ? [`${row.contender} ${row.mode}`] : []));
  for (const cell of kept) expect(ofCell(cell)).toEqual(["cpu call", "cpu bound", "memcpy call", "memcpy bound"]);
  const lines = err.split("\n").filter((line) => !/STOWAGE_MPI|c-O3|pinned|memory that processes share/.test(line));
  expect(lines).toEqual([
    `stowage: bench: expected to finish, got SIGINT; ${rows.length} rows measured so far kept in ${out}`,
    "",
  ]);
});
