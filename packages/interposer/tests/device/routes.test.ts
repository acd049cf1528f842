import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { profileText, UNCALIBRATED } from "@stowage/backend-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEVICE_ROUTES, keepRouteTable } from "../../src/routes/route-table.js";

const SOURCE = fileURLToPath(new URL("routes.c", import.meta.url));
const FIRST = "stowage-device-routes 2\n";
const DEFAULTS =
  "ipc 1024, launch 262144; one-shot or one-shot one-shot or one-shot one-shot or one-shot; 4096 536870912\n";

/** A program that waits for a pipe's writer never ends. */
const HANG_MS = Number(process.env["STOWAGE_HANG_MS"]);

interface Read {
  readonly said: string;
  readonly lines: string;
}

/** What a program that reads tables says, and its lines on standard error. */
function readBy(env: Readonly<Record<string, string>>): Read {
  const { stdout, stderr } = spawnSync(join(folder, "routes"), [], { env, encoding: "utf8", timeout: HANG_MS });
  return { said: stdout, lines: stderr };
}

function read(text: string): Read {
  const path = join(folder, "table");
  writeFileSync(path, text);
  return readBy({ STOWAGE_DEVICE_ROUTES: path });
}

const folder = mkdtempSync(join(tmpdir(), "stowage-routes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const flags = [
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    ...["mpi", "tables"].map((name) => `-I${fileURLToPath(new URL(`../../c/${name}`, import.meta.url))}`),
  ];
  expect(spawnSync("gcc", [...flags, "-o", join(folder, "routes"), SOURCE], { encoding: "utf8" }).stderr).toBe("");
});

test("the last rule that fits counts, and of bytes that are wanted at once the last that is not of pieces; wrong tables leave the defaults, and a line", () => {
  const rules = "# ours\nipc 7\n\nlaunch 65536\nroute 0 0 device\nroute 65536 0 pipelined\nroute 65536 64 one-shot\n";
  expect(read(FIRST + rules)).toEqual({
    said: "ipc 7, launch 65536; device or device pipelined or device one-shot or one-shot; 4096 268435456\n",
    lines: "",
  });
  const wrong = [
    ["", 1],
    ["stowage-device-routes 1\ndirect 7\n", 1],
    [`${FIRST}ipc 7\nroute 0 0 flying\n`, 3],
    [`${FIRST}route 0 0 device more\n`, 2],
    [`${FIRST}route 0 device\n`, 2],
    [`${FIRST}ipc -1\n`, 2],
    [`${FIRST}ipc 99999999999999999999999\n`, 2],
    [`${FIRST}launch 0\n`, 2],
    [`${FIRST}unknown 1\n`, 2],
    [`${FIRST}ipc 7`, 2],
    [FIRST + "route 0 0 device\n".repeat(65), 66],
  ] as const;
  for (const [text, line] of wrong) {
    const { said, lines } = read(text);
    expect({ text, said }).toEqual({ text, said: DEFAULTS });
    expect(lines).toBe(
      `stowage: ${join(folder, "table")}: expected a table of routes, got another line ${line}: the defaults are taken\n`,
    );
  }
});

test("a pipe, and a table that another user may have written, leave the defaults and a line; a later folder's serves", () => {
  const [bad, good] = [join(folder, "bad"), join(folder, "good")];
  const table = (inFolder: string): string => join(inFolder, "device-routes-openmpi");
  const expected = "expected a file of this user or root that no others write";
  const refused = (got: RegExp): void => {
    for (const env of [{ STOWAGE_CACHE: bad }, { STOWAGE_DEVICE_ROUTES: table(bad) }]) {
      const { said, lines } = readBy(env);
      expect(said).toBe(DEFAULTS);
      expect(lines).toMatch(
        new RegExp(`^stowage: ${table(bad)}: ${expected}, got ${got.source}: the defaults are taken\n$`),
      );
    }
    expect(readBy({ STOWAGE_CACHE: `${bad}:${good}` }).said).toMatch(/^ipc 9,/);
  };
  for (const inFolder of [bad, good]) mkdirSync(inFolder);
  writeFileSync(table(good), `${FIRST}ipc 9\nroute 0 0 one-shot\n`);
  expect(spawnSync("mkfifo", ["-m", "600", table(bad)]).status).toBe(0);
  refused(/one of user \d+, mode 10600/);
  rmSync(table(bad));
  writeFileSync(table(bad), `${FIRST}ipc 8\n`);
  for (const mode of [0o620, 0o602]) {
    chmodSync(table(bad), mode);
    refused(/one of user \d+, mode 1006[02][02]/);
  }
  chmodSync(table(bad), 0o644);
  expect(readBy({ STOWAGE_CACHE: bad }).said).toMatch(/^ipc 8,/);
  // Root alone gives files away.
  if (process.geteuid?.() !== 0) return;
  chownSync(table(bad), 12_345, 12_345);
  refused(/one of user 12345, mode 100644/);
});

test("`stowage run` keeps a table beside the code while a profile knows a GPU, and the library reads it there", async () => {
  const [profile, code] = [join(folder, "profile.json"), join(folder, "code")];
  const machine = { cpu: "one", features: [], cores: 1, gpu: "one", driver: "one" };
  const write = (figures: Readonly<Record<string, Readonly<Record<string, number>>>>): void =>
    writeFileSync(
      profile,
      profileText({ schema: "stowage-profile/1", models: 2, date: "today", machine, noise: 0, figures }),
    );
  const environment = { STOWAGE_CACHE: code, STOWAGE_PROFILE: profile };
  // Over a bus that is slow to kernels, bytes go by the device; an MPI whose messages take long hides packing.
  const generic = { ...UNCALIBRATED.figures["cuda-generic"], "pack.bus.sector": 0, "unpack.bus.packedByte": 1 };
  const slow = { "messageNs.8": 1e6, "messageNs.1048576": 1e6 };
  write({ "cuda-generic": generic, routes: { copyNs: 1, busBytesPerNs: 50 }, "openmpi-9": slow });
  const text = await keepRouteTable(DEVICE_ROUTES, "openmpi", environment);
  expect(text).toContain("\nipc 1024\nlaunch 200000\nroute 0 0 one-shot\n");
  expect(text).toMatch(/\nroute \d+ 0 device\n/);
  expect(readFileSync(join(code, "device-routes-openmpi"), "utf8")).toBe(text);
  expect(await keepRouteTable(DEVICE_ROUTES, "openmpi", environment)).toBe(text);
  const { said, lines } = readBy({ STOWAGE_CACHE: `${folder}/none:${code}` });
  expect(lines).toBe("");
  expect(said).toMatch(/^ipc 1024, launch 200000; one-shot or one-shot .*device/);
  write({});
  expect(await keepRouteTable(DEVICE_ROUTES, "openmpi", environment)).toBeUndefined();
  expect(readBy({ STOWAGE_CACHE: code })).toEqual({ said: DEFAULTS, lines: "" });
});
