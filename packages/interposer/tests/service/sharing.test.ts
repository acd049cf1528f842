import { describeType } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SERVICE_FORMAT } from "../../src/formats/service-format.js";
import { startService, type RunningService } from "../../src/index.js";
import { joined } from "../../src/service/join.js";
import { beginService } from "../../src/service/start-service.js";
import { inFolder } from "./in-folder.js";

const INDEX = new URL("../../dist/index.js", import.meta.url).href;

/** Services that `use` starts in a folder's surroundings, ended afterwards. */
const withServices = (
  use: (start: (more?: NodeJS.ProcessEnv) => Promise<RunningService>, folder: string) => Promise<void>,
): Promise<void> =>
  inFolder(async (folder) => {
    const begun: RunningService[] = [];
    const environment = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: join(folder, "cache") };
    const start = async (more: NodeJS.ProcessEnv = {}): Promise<RunningService> => {
      const service = await startService({ ...environment, ...more });
      begun.push(service);
      return service;
    };
    try {
      await use(start, folder);
    } finally {
      for (const service of begun) service.process?.kill("SIGKILL");
    }
  });

const ended = ({ process }: RunningService): Promise<number | null> =>
  new Promise((resolve) => process?.once("exit", resolve));

/** Whether someone takes connections there. */
const listens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket.destroy() !== undefined)).on("error", () => resolve(false));
  });

/** A question about a datatype, as a rank asks it. */
function question(): Uint8Array {
  const description = describeType(vector(3, 1, 2, predefined("MPI_SHORT")));
  const { constants, question: at } = SERVICE_FORMAT;
  const head = Buffer.alloc(at.bytes);
  head.writeUInt32LE(description.length, at.offsets.length);
  head.writeUInt32LE(constants.version, at.offsets.version);
  return Buffer.concat([head, description]);
}

/** Asks so often, one question behind the other's answer. */
async function askAgain(path: string, times: number): Promise<void> {
  const socket = connect(path);
  for (let i = 0; i < times; i++) {
    socket.write(question());
    await once(socket, "data");
  }
  socket.destroy();
}

/** A process that starts a service, prints its path, and does nothing but sleep from then on. */
const SLEEPS = `
  const { startService } = await import("${INDEX}");
  const { path } = await startService();
  require("node:fs").writeSync(1, path);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
`;

describe("a service", () => {
  test("answers though whoever started it reads nothing of what it tells", () =>
    inFolder(async (folder) => {
      const env = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: join(folder, "cache") };
      const program = ["--input-type=commonjs", "-e", `(async () => {${SLEEPS}})()`];
      const sleeper = spawn(process.execPath, program, { env, stdio: ["ignore", "pipe", "inherit"] });
      const [path] = (await once(sleeper.stdout, "data")) as [Buffer];
      try {
        await askAgain(String(path), 2000);
      } finally {
        sleeper.kill("SIGKILL");
      }
    }));

  test("that is still starting says so to who ends before it, and answers who has asked meanwhile", () =>
    inFolder(async (folder) => {
      const environment = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: join(folder, "cache") };
      const service = await beginService(environment);
      expect(service.unanswered()).toBe("the compile service was still starting");
      const answered = joined(service.path);
      await service.ready;
      expect(service.unanswered()).toBe(undefined);
      (await answered)?.destroy();
      service.process?.kill("SIGKILL");
    }));

  test("that begins when it is asked has no process until then, and answers who asked, and who comes after", () =>
    inFolder(async (folder) => {
      const environment = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: join(folder, "cache") };
      const service = await beginService(environment, "when asked");
      expect([service.process, service.unanswered()]).toEqual([undefined, undefined]);
      const askers = await Promise.all([joined(service.path), joined(service.path)]);
      expect(service.process).toBeDefined();
      const later = await joined(service.path);
      const over = ended(service);
      service.end();
      for (const asker of [...askers, later]) {
        expect(asker).toBeDefined();
        asker?.destroy();
      }
      expect(await over).toBe(0);
      expect(existsSync(service.path)).toBe(false);
    }));

  test("that nobody has asked leaves nothing behind", () =>
    inFolder(async (folder) => {
      const environment = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: join(folder, "cache") };
      const service = await beginService(environment, "when asked");
      expect(await listens(service.path)).toBe(true);
      const unasked = await beginService({ ...environment, STOWAGE_CACHE: join(folder, "other") }, "when asked");
      service.end();
      unasked.end();
      expect([existsSync(service.path), existsSync(unasked.path)]).toEqual([false, false]);
      service.process?.kill("SIGKILL"); // whether someone listens there was asked
    }));

  test("serves one cache: another cache's is another, the same by another path is the same", () =>
    withServices(async (start, folder) => {
      const first = await start();
      const other = await start({ STOWAGE_CACHE: join(folder, "other") });
      expect(other.path).not.toBe(first.path);
      expect(other.process).toBeDefined();
      symlinkSync("cache", join(folder, "link"));
      const again = await start({ STOWAGE_CACHE: `${join(folder, "link")}:${join(folder, "site")}` });
      expect([again.path, again.process]).toEqual([first.path, undefined]);
      again.end();
    }));

  test("stays for who has joined it when who started it lets go, and leaves with the last", () =>
    withServices(async (start) => {
      const first = await start();
      const second = await start();
      expect(second.process).toBe(undefined);
      const over = ended(first);
      first.end();
      // It has looked at its standard input by the time that it has answered a third.
      const third = await start();
      expect([third.process, await listens(first.path)]).toEqual([undefined, true]);
      third.end();
      second.end();
      expect(await over).toBe(0);
      expect(existsSync(first.path)).toBe(false);
    }));

  test("is not refused for what Node writes to standard error", () =>
    withServices(async (start) => {
      const noisy = {
        NODE_EXTRA_CA_CERTS: "/absent/certificates",
        NODE_OPTIONS: "--trace-warnings --pending-deprecation",
      };
      expect((await start(noisy)).process).toBeDefined();
    }));

  test("that cannot begin says why in a line", () =>
    withServices(async (start) => {
      await expect(start({ NODE_OPTIONS: "--require=/absent/module.js" })).rejects.toThrow(
        /^compile service: expected one that listens, got [^\n]+$/,
      );
    }));

  test("listens elsewhere where the user's folder for it cannot be, and nothing is tried for ever", () =>
    withServices(async (start) => {
      const { path } = await start({ XDG_RUNTIME_DIR: "/proc/nonexist" });
      expect(dirname(path)).toMatch(/^\/tmp\/stowage-/);
    }));
});

/** A user whom nobody is, nor another run of this test meanwhile; a container may have no more than 65,536. */
const STRANGER = 10_000 + (process.pid % 50_000);

test.runIf(process.geteuid?.() === 0)("where another user has taken the folder's name, nothing is left behind", () =>
  inFolder((folder) => {
    const taken = `/tmp/stowage-${STRANGER}`;
    rmSync(taken, { recursive: true, force: true });
    mkdirSync(taken);
    const cache = join(realpathSync(folder), "cache");
    spawnSync("chmod", ["755", folder]);
    spawnSync("install", ["-d", "-m", "700", "-o", String(STRANGER), cache]);
    const program = `
      import { startService } from ${JSON.stringify(INDEX)};
      const service = await startService({ ...process.env, STOWAGE_CACHE: ${JSON.stringify(cache)} });
      console.log(service.path);
      await new Promise((resolve) => { service.process.once("exit", resolve); service.end(); });`;
    const { XDG_RUNTIME_DIR: _, ...env } = process.env;
    const args = ["--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      uid: STRANGER,
      gid: STRANGER,
      env,
      encoding: "utf8",
    });
    rmSync(taken, { recursive: true });
    expect(stderr).toBe("");
    expect(dirname(stdout.trim())).toMatch(/^\/tmp\/stowage-\w{6}$/);
    expect(existsSync(dirname(stdout.trim()))).toBe(false);
    return Promise.resolve();
  }),
);
