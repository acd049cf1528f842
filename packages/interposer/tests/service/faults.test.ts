import { describeType, typeKey, type KeyVariant } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { predefined, vector } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileName } from "../../src/cache/code-cache.js";
import { CodeCache, startService } from "../../src/index.js";
import { CompileService } from "../../src/service/compile-service.js";
import { compiledCode, levelOf } from "../../src/service/compiled-code.js";
import { VERSION } from "../../src/version.js";
import { hasCompiler } from "../store/build-rank.js";
import { programsBuilt } from "../store/programs.js";
import { Rank } from "../store/rank.js";
import { inFolder } from "./in-folder.js";
import { withService, type Surroundings } from "./with-service.js";

const description = describeType(vector(3, 1, 2, predefined("MPI_SHORT")));
const another = describeType(vector(5, 1, 2, predefined("MPI_SHORT")));
const program = programsBuilt(["rank", "without-exec", "stale-handles"]);

const NOBODY = 65_534;
const VARIANT = { direction: "pack", backend: "x64", formatVersion: 1 } as const;

/** A type's code as a version of ours would name it. */
function compiledAs(type: Uint8Array, variant: Omit<KeyVariant, "level">): { name: string; bytes: Uint8Array } {
  using backend = new X64Backend();
  const level = levelOf(backend);
  return { name: fileName(typeKey(type, { ...variant, level }), level), bytes: compiledCode(type, backend) };
}

/** How long a type that should stay native is waited for. */
const BRIEFLY_MS = 100;

/** The cached file of the one type that was compiled. */
const only = (cache: string): string => join(cache, readdirSync(cache)[0] as string);

/** Has the service compile the type for a first rank; then another commits it: whether it has code at once, or soon. */
async function afterwards(around: Surroundings, change: (file: string) => void): Promise<[string, boolean, string]> {
  using first = new Rank(program("rank"), around.environment);
  await first.ask("open");
  await first.getsCode(await first.commit(description));
  change(only(around.cache));
  using second = new Rank(program("rank"), around.environment);
  await second.ask("open");
  around.service.process?.kill("SIGSTOP"); // what the rank has at once is not the service's answer
  const type = await second.commit(description);
  const atOnce = await second.ask(`kernel ${type}`);
  around.service.process?.kill("SIGCONT");
  const soon = await second.getsCode(type);
  expect(await second.end()).toBe(0);
  return [atOnce, soon, second.said];
}

/** A rank for which a type stays native, however long it waits: what it said. */
async function native(environment: NodeJS.ProcessEnv, command = program("rank")): Promise<string> {
  using rank = new Rank(command, environment);
  await rank.ask("open");
  const type = await rank.commit(description);
  expect(await rank.getsCode(type, BRIEFLY_MS)).toBe(false);
  expect(await rank.end()).toBe(0);
  return rank.said;
}

describe.runIf(hasCompiler)("whatever fails leaves datatypes native, in one line, and the rank goes on", () => {
  test("the service dies while it is asked", () =>
    withService(async ({ environment, service }) => {
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      service.process?.kill("SIGSTOP"); // it takes the question, and answers nothing
      const type = await rank.commit(description);
      const over = new Promise((resolve) => service.process?.once("exit", resolve));
      service.process?.kill("SIGKILL");
      await over;
      expect(await rank.getsCode(type, BRIEFLY_MS)).toBe(false);
      expect(await rank.ask(`kernel ${await rank.commit(another)}`)).toBe("0");
      expect(await rank.end()).toBe(0);
      expect(rank.said).toBe("stowage: the compile service is gone: datatypes without code stay native\n");
    }));

  test("the service hangs: nobody waits for it", () =>
    withService(async ({ environment, service }) => {
      service.process?.kill("SIGSTOP");
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      for (let i = 0; i < 50; i++) {
        const type = describeType(vector(1000 + i, 1, 3, predefined("MPI_INT")));
        expect(await rank.ask(`kernel ${await rank.commit(type)}`)).toBe("0");
      }
      expect(await rank.end()).toBe(0);
    }));

  test("there was never a service, or its folder is open to others", () =>
    withService(async ({ environment, service }) => {
      const absent = { ...environment, STOWAGE_SERVICE: join(dirname(service.path), "absent") };
      expect(await native(absent)).toMatch(/expected this user's compile service, got none: .*\n$/);
      chmodSync(dirname(service.path), 0o755);
      expect(await native(environment)).toMatch(/expected a socket in a folder that this user alone may enter/);
    }));

  test("a cached file is damaged, or others may write to it: the service replaces it", () =>
    withService(async (around) => {
      const cut = await afterwards(around, (file) => truncateSync(file, 100));
      expect(cut).toEqual(["0", true, expect.stringMatching(/^stowage: .*: left alone\n$/)]);
      const whole = statSync(only(around.cache)).size;
      const open = await afterwards(around, (file) => chmodSync(file, 0o622));
      expect(open).toEqual(["0", true, expect.stringMatching(/that its user or root alone may write/)]);
      expect(statSync(only(around.cache))).toMatchObject({ size: whole });
      expect(statSync(only(around.cache)).mode & 0o777).toBe(0o600);
    }));

  test.runIf(process.geteuid?.() === 0)("a cached file is another user's: the service replaces it", () =>
    withService(async (around) => {
      const got = await afterwards(around, (file) => chownSync(file, NOBODY, NOBODY));
      expect(got).toEqual(["0", true, expect.stringMatching(/that its user or root alone may write/)]);
      expect(statSync(only(around.cache)).uid).toBe(0);
    }),
  );

  test("a folder of code, or the socket's, lies where others can put another in its place: neither is used", () =>
    withService(async ({ folder, cache, environment }) => {
      using first = new Rank(program("rank"), environment);
      await first.ask("open");
      await first.getsCode(await first.commit(description));
      const alone = { ...environment, STOWAGE_SERVICE: "", STOWAGE_CACHE: `${join(folder, "absent")}:${cache}` };
      using taken = new Rank(program("rank"), alone);
      await taken.ask("open");
      expect(await taken.ask(`kernel ${await taken.commit(description)}`)).not.toBe("0");
      chmodSync(folder, 0o777);
      expect(await native(alone)).toMatch(
        /cache: expected a folder that this user or root alone may write to, got \S+: no code is taken from it\n/,
      );
      expect(await native(environment)).toMatch(/expected a socket in a folder that this user alone may enter/);
      chmodSync(folder, 0o700);
    }));

  test("another version of ours shares the cache: each has names of its own, and neither asks the other's service", () =>
    withService(async (around) => {
      const other = compiledAs(another, { ...VARIANT, tuning: `${VERSION}-other` });
      const got = await afterwards(around, (file) => writeFileSync(join(dirname(file), other.name), other.bytes));
      expect(got).toEqual(["1", true, ""]);
      expect(readdirSync(around.cache)).toHaveLength(2);
      using backend = new X64Backend();
      using service = new CompileService(new CodeCache(around.cache), () => undefined);
      const key = typeKey(description, { ...VARIANT, level: levelOf(backend), tuning: `${VERSION}-other` });
      expect(service.answer({ key, description })).toBe("refused");
    }));

  test("a cached file is another type's under this type's name: its code is not taken", () =>
    withService(async (around) => {
      using first = new Rank(program("rank"), around.environment);
      await first.ask("open");
      await first.getsCode(await first.commit(another));
      const bytes = readFileSync(only(around.cache));
      rmSync(only(around.cache));
      const got = await afterwards(around, (file) => writeFileSync(file, bytes));
      expect(got).toEqual(["0", true, expect.stringMatching(/expected the code of another datatype|another/)]);
    }));

  test("a pipe lies where the file should: nobody waits for its writer", () =>
    withService(async (around) => {
      const got = await afterwards(around, (file) => {
        rmSync(file);
        spawnSync("mkfifo", [file]);
      });
      expect(got).toEqual(["0", true, ""]);
    }));

  test("a cached file's handle is stale, as on NFS", () =>
    withService(async (around) => {
      await afterwards(around, () => undefined);
      const environment = { ...around.environment, LD_PRELOAD: program("stale-handles") };
      expect(await native({ ...environment, ASAN_OPTIONS: "verify_asan_link_order=0" })).toBe("");
    }));

  test("the disk is full", () =>
    withService(async ({ environment, service, cache }) => {
      // Files of this process may have a hundred bytes: what a full disk comes to, without one.
      spawnSync("prlimit", ["--pid", String(service.process?.pid), "--fsize=100"]);
      expect(await native(environment)).toBe("");
      expect(readdirSync(cache)).toEqual([]);
    }));

  test("the cache may hold nothing", () =>
    withService(async ({ environment }) => void (await native(environment)), { STOWAGE_CACHE_BYTES: "0" }));

  test("the cache cannot be written: no service, but the command runs", () =>
    inFolder(async (folder) => {
      const environment = { ...process.env, XDG_RUNTIME_DIR: folder, STOWAGE_CACHE: "/dev/null/cache" };
      await expect(startService(environment)).rejects.toThrow(
        /expected a folder that this user alone may write to, got/,
      );
      chmodSync(folder, 0o777);
      await expect(startService({ ...environment, STOWAGE_CACHE: folder })).rejects.toThrow(
        /got user \d+'s of mode 0777/,
      );
    }));

  test("the system refuses executable memory", () =>
    withService(async (around) => {
      await afterwards(around, () => undefined);
      using rank = new Rank(program("without-exec"), around.environment, [program("rank")]);
      await rank.ask("open");
      expect(await rank.getsCode(await rank.commit(description), BRIEFLY_MS)).toBe(false);
      expect(await rank.end()).toBe(0);
      expect(rank.said).toMatch(/memory: expected some for code and tables, got none: left alone\n$/);
    }));

  test("another program took the number of our descriptor: not a byte goes there", () =>
    withService(async ({ environment, folder }) => {
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      expect(await rank.getsCode(await rank.commit(another))).toBe(true); // it has asked, so that it is connected
      await rank.ask(`steal ${join(folder, "stolen")}`);
      expect(await rank.getsCode(await rank.commit(description), BRIEFLY_MS)).toBe(false);
      await rank.ask("close");
      expect(await rank.end()).toBe(0);
      expect(readFileSync(join(folder, "stolen"), "utf8")).toBe("");
    }));
});

describe.runIf(hasCompiler)("the service serves on", () => {
  test("after ranks that crash in the middle of a question, and strangers that speak otherwise", () =>
    withService(async ({ environment, service }) => {
      for (const bytes of [Buffer.alloc(13), Buffer.from([64, 0, 0, 0, 1, 0, 0, 0, 7]), Buffer.alloc(4096, 0xff)]) {
        await new Promise<void>((resolve) => {
          const client = connect(service.path, () => client.write(bytes, () => client.destroy()));
          client.on("close", () => resolve());
        });
      }
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      expect(await rank.getsCode(await rank.commit(description))).toBe(true);
    }));

  test("after a rank that crashed before its code had come, which others get", () =>
    withService(async ({ environment }) => {
      using first = new Rank(program("rank"), environment);
      await first.ask("open");
      await first.commit(description);
      const crashed = new Promise((resolve) => first.process.once("exit", (_, signal) => resolve(signal)));
      first.process.kill("SIGABRT");
      expect(await crashed).toBe("SIGABRT");
      using second = new Rank(program("rank"), environment);
      await second.ask("open");
      expect(await second.getsCode(await second.commit(description))).toBe(true);
    }));

  test("until its parent has ended and its last client has gone", () =>
    withService(async ({ environment, service }) => {
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      expect(await rank.getsCode(await rank.commit(another))).toBe(true);
      const ended = new Promise((resolve) => service.process?.once("exit", resolve));
      service.end();
      expect(await rank.getsCode(await rank.commit(description))).toBe(true);
      await rank.end();
      expect(await ended).toBe(0);
    }));

  test("a rank that was there before it, in what that commits from then on", () =>
    inFolder(async (folder) => {
      const environment = { STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
      const before = await startService({ ...process.env, ...environment });
      const over = new Promise((resolve) => before.process?.once("exit", resolve));
      before.end();
      await over;
      using rank = new Rank(program("rank"), { ...environment, STOWAGE_SERVICE: before.path });
      await rank.ask("open");
      expect(await rank.getsCode(await rank.commit(description), BRIEFLY_MS)).toBe(false);
      const service = await startService({ ...process.env, ...environment });
      try {
        expect(service.path).toBe(before.path);
        expect(await rank.getsCode(await rank.commit(another))).toBe(true);
      } finally {
        service.process?.kill("SIGKILL");
      }
    }));

  test("one a node: who starts it again shares it", () =>
    withService(async ({ environment, service }) => {
      const again = await startService({ ...process.env, ...environment });
      expect(again).toEqual({ path: service.path, end: again.end });
      again.end();
    }));
});
