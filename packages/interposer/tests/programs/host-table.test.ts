import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UNCALIBRATED, profileText } from "@stowage/backend-api";
import { expect, test } from "vitest";
import { sources } from "../../src/build/sources.js";
import { HOST_ROUTES, keepRouteTable } from "../../src/routes/route-table.js";
import { inFolder } from "../service/in-folder.js";
import { INSTALLED } from "./ranks.js";

const C = fileURLToPath(new URL("../../c", import.meta.url));
const PROGRAM = fileURLToPath(new URL("host-table.c", import.meta.url));

/** Messages of so many bytes, in runs, of elements so far apart and so long. */
const CELLS = [
  [4096, 8, 16, 16],
  [65_536, 16, 16, 16_384],
  [65_536, 16, 32_768, 16_384],
  [1_048_576, 4096, 8192, 8192],
] as const;

type Read = (mpi: string) => { readonly ways: readonly string[]; readonly lines: string };

/** A program that reads a folder's table. */
function readerIn(folder: string): Read {
  const program = join(folder, "host-table");
  const files = [
    PROGRAM,
    ...["host/host-table.c", "tables/table-file.c", "choice/type-shape.c"].map((name) => join(C, name)),
  ];
  const includes = sources("packing").includes.map((each) => `-I${each}`);
  const flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", program, ...includes, ...files];
  expect(spawnSync(INSTALLED[0]?.compiler ?? "", flags, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  return (mpi) => {
    const env = { STOWAGE_CACHE: join(folder, "code") };
    const { stdout, stderr } = spawnSync(program, [mpi, ...CELLS.flat().map(String)], { env, encoding: "utf8" });
    return { ways: stdout.trim().split("\n"), lines: stderr };
  };
}

const DEFAULTS = {
  openmpi: ["past", "past", "past", "past"],
  mpich: ["through", "past", "through", "through"],
};

test.skipIf(INSTALLED.length === 0)(
  "before their times are known messages go as the last rule of a table that fits says; wrong tables leave the defaults, and a line",
  () =>
    inFolder((folder) => {
      const read = readerIn(folder);
      const code = join(folder, "code");
      mkdirSync(code);
      expect(read("openmpi-4.1.4")).toEqual({ ways: DEFAULTS.openmpi, lines: "" });
      expect(read("mpich-4.0.2")).toEqual({ ways: DEFAULTS.mpich, lines: "" });
      const write = (text: string): void => writeFileSync(join(code, "host-routes-openmpi"), text);
      const head = "stowage-host-routes 1\n";
      write(
        `${head}# of a test\nroute 0 0 through\nroute 65536 4096 past\ncolumns 0 0 past\ncolumns 1048576 0 through\n`,
      );
      expect(read("openmpi-4.1.4")).toEqual({ ways: ["through", "past", "through", "past"], lines: "" });
      expect(read("mpich-4.0.2").ways).toEqual(DEFAULTS.mpich);
      const wrong = ["route 0 past", "route 0 0 0 past", "route 0 0 staged", "rows 0 0 past", "route -1 0 past"];
      for (const line of [...wrong, "route 0 0 past\n".repeat(64) + "route 0 0 past"]) {
        write(`${head}${line}\n`);
        const { ways, lines } = read("openmpi-4.1.4");
        expect({ line, ways }).toEqual({ line, ways: DEFAULTS.openmpi });
        expect(lines).toMatch(
          /host-routes-openmpi: expected a table of routes, got another line \d+: the defaults are taken\n$/,
        );
      }
      return Promise.resolve();
    }),
);

test.skipIf(INSTALLED.length === 0)(
  "`stowage run` keeps a table that a profile predicts, the library reads it, and it goes with the profile's figures",
  () =>
    inFolder(async (folder) => {
      const read = readerIn(folder);
      const profile = join(folder, "profile.json");
      const machine = { cpu: "one", features: [], cores: 1, gpu: "none", driver: "none" };
      const write = (figures: Readonly<Record<string, Readonly<Record<string, number>>>>): void =>
        writeFileSync(
          profile,
          profileText({ schema: "stowage-profile/1", models: 2, date: "today", machine, noise: 0, figures }),
        );
      const environment = { STOWAGE_CACHE: join(folder, "code"), STOWAGE_PROFILE: profile };
      const { x64 = {}, host = {} } = UNCALIBRATED.figures;
      write({ x64, host });
      const text = await keepRouteTable(HOST_ROUTES, "mpich", environment);
      expect(text).toMatch(/^stowage-host-routes 1\n# \w+ of .*\n(?:(?:route|columns) \d+ \d+ (?:past|through)\n)+$/);
      expect(await keepRouteTable(HOST_ROUTES, "mpich", environment)).toBe(text);
      expect(read("mpich-4.0.2")).toMatchObject({ lines: "" });
      write({ host });
      expect(await keepRouteTable(HOST_ROUTES, "mpich", environment)).toBeUndefined();
      expect(read("mpich-4.0.2").ways).toEqual(DEFAULTS.mpich);
    }),
);
