import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));
let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "stowage-run-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No compiler wrapper, no library: everything is native. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  STOWAGE_MPICC: "/absent/mpicc",
  STOWAGE_INTERPOSER: join(folder, "lib"),
  STOWAGE_CACHE: join(folder, "code"),
  XDG_RUNTIME_DIR: folder,
});

const stowage = (...args: string[]) =>
  spawnSync(process.execPath, [STOWAGE, "run", ...args], { env: environment(), encoding: "utf8" });

test("without a library the command runs natively, says so where it is asked, and its exit status is passed on", () => {
  const { status, stdout, stderr } = stowage("--verbose", "--", "sh", "-c", "echo out; exit 7");
  expect(status).toBe(7);
  expect(stdout).toBe("out\n");
  expect(stderr).toMatch(/^stowage: \/absent\/mpicc .*: running natively\n$/);
});

test("a signal reaches the command, and the one that ends it ends us", async () => {
  const loop = 'trap "echo caught; trap - TERM; kill -TERM $$" TERM; echo ready; while :; do sleep 0.02; done';
  const child = spawn(process.execPath, [STOWAGE, "run", "--", "sh", "-c", loop], { env: environment() });
  let out = "";
  child.stdout.on("data", (text) => {
    out += String(text);
    if (out === "ready\n") child.kill("SIGTERM");
  });
  const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
  expect([out, signal]).toEqual(["ready\ncaught\n", "SIGTERM"]);
});

test("what cannot be verified is not run as if it were", () => {
  const { status, stdout, stderr } = stowage("--verify", "--", "echo", "out");
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^stowage: \/absent\/mpicc .*: expected a compiler for MPI programs, got .*\n$/);
});

test.each(["nosuchcommand", "./nosuchcommand", "/etc/passwd"])(
  "%s is no program: nothing is built, started or written for it",
  (command) => {
    const { status, stdout, stderr } = stowage("--record", join(folder, "record"), "--verify", "--", command);
    expect([status, stdout, stderr]).toEqual([2, "", `stowage: ${command}: expected a program, got none\n`]);
    for (const made of ["lib", "code", "record"]) expect(existsSync(join(folder, made))).toBe(false);
  },
);

test("the wrapper that STOWAGE_MPICC names is what `interposer build` asks, unless --mpicc names another", () => {
  const build = (...args: string[]) =>
    spawnSync(process.execPath, [STOWAGE, "interposer", "build", ...args], { env: environment(), encoding: "utf8" });
  expect(build().stderr).toMatch(/^stowage: \/absent\/mpicc .*: expected a compiler for MPI programs/);
  expect(build("--mpicc", "/another/mpicc").stderr).toMatch(/^stowage: \/another\/mpicc /);
});
