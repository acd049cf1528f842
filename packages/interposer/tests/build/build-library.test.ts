import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildLoader } from "../../src/build/build-library.js";
import { buildLibrary } from "../../src/index.js";
import { buildingFolder } from "../../src/build/building-folder.js";
import { inFolder } from "../service/in-folder.js";

const BUILD_LIBRARY = new URL("../../dist/build/build-library.js", import.meta.url).href;
const STOWAGE = fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url));

/** A compiler wrapper that never ends, and says that it was asked to compile, by whom. */
const ENDLESS = `#!/bin/sh
case "$1" in
  -E) echo "stowage_mpi openmpi 4.1.4" ;;
  -show) echo "cc" ;;
  *) sh -c 'echo $$ >> "$0.asked"; while :; do sleep 0.05; done' "$0" ;;
esac
`;

function wrapper(folder: string, text: string): string {
  const path = join(folder, "mpicc");
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Not one that has ended and that nobody has waited for yet: proc(5). */
const isRunning = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while it builds: nothing is left behind, no folder and no compiler",
  (signal) =>
    inFolder(async (folder) => {
      const asked = `${wrapper(folder, ENDLESS)}.asked`;
      const environment = {
        ...process.env,
        STOWAGE_MPICC: join(folder, "mpicc"),
        STOWAGE_INTERPOSER: join(folder, "lib"),
      };
      const child = spawn(process.execPath, [STOWAGE, "interposer", "build"], { env: environment, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", (status, by) => resolve(by ?? status)));
      while (!existsSync(asked) && child.exitCode === null) await setTimeout(20);
      expect(readdirSync(join(folder, "lib"))).toHaveLength(2); // where it builds, and that it does
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(readdirSync(join(folder, "lib"))).toEqual([]);
      for (const pid of readFileSync(asked, "utf8").trim().split("\n")) expect(isRunning(pid)).toBe(false);
    }),
);

test("a compiler that fails is one line, and leaves nothing", () =>
  inFolder(async (folder) => {
    const failing = wrapper(folder, ENDLESS.replace(/ sh -c .*;;/, ' echo "x.c:1: error: no" >&2; exit 3 ;;'));
    const built = buildLibrary(failing, join(folder, "lib"));
    await expect(built).rejects.toThrow(
      /^building the interposer: expected .*mpicc to succeed, got x\.c:1: error: no$/,
    );
    expect(readdirSync(join(folder, "lib"))).toEqual([]);
  }));

/** A compiler that notes each call, and makes what nobody loads. */
const COUNTING = `#!/bin/sh
echo call >> "$0.calls"
sleep 0.3
while [ $# -gt 0 ]; do [ "$1" = -o ] && : > "$2"; shift; done
`;

test("of several first runs one builds, the others wait for it; what a builder that died holds is free", () =>
  inFolder(async (folder) => {
    const compiler = wrapper(folder, COUNTING);
    const lib = join(folder, "lib");
    const bundle = `import { buildLoader } from ${JSON.stringify(BUILD_LIBRARY)};
      console.log(await buildLoader(...process.argv.slice(1)));`;
    const runs = Array.from({ length: 4 }, () => {
      const args = ["--input-type=module", "-e", bundle, compiler, lib];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      return text(child.stdout);
    });
    const paths = await Promise.all(runs);
    expect(new Set(paths).size).toBe(1);
    expect(readdirSync(realpathSync(lib))).toHaveLength(1);
    expect(readFileSync(`${compiler}.calls`, "utf8")).toBe("call\n");
    const path = paths[0]?.trim() as string;
    rmSync(path);
    const dead = spawnSync("sh", ["-c", "echo $$"], { encoding: "utf8" }).stdout.trim();
    const [system = ""] = /[0-9a-f]{8}(?=-\d+-\w{6}$)/.exec(buildingFolder(path)) ?? [];
    symlinkSync(dead, `${path}.${system}.lock`);
    expect(await buildLoader(compiler, lib)).toBe(path);
    expect(readFileSync(`${compiler}.calls`, "utf8")).toBe("call\ncall\n");
  }));

test("what builders that died have left is removed, what others are at is not", () =>
  inFolder((folder) => {
    const library = join(realpathSync(folder), "libstowage-x.so");
    const ours = buildingFolder(library);
    const dead = spawnSync("sh", ["-c", "echo $$"], { encoding: "utf8" }).stdout.trim();
    const [of = ""] = /[0-9a-f]{8}-(?=\d+-\w{6}$)/.exec(ours) ?? [];
    const [left, elsewhere, early, late] = [`${of}${dead}-abcdef`, `00000000-${dead}-abcdef`, "abcdef", "fedcba"].map(
      (name) => `${library}.${name}`,
    ) as [string, string, string, string];
    for (const path of [left, elsewhere, early, late]) mkdirSync(join(path, "inside"), { recursive: true });
    utimesSync(late, 1, 1);
    const next = buildingFolder(library);
    expect(readdirSync(folder).toSorted()).toEqual(
      [ours, next, elsewhere, early].map((path) => path.slice(folder.length + 1)).toSorted(),
    );
    return Promise.resolve();
  }));
