import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CheckedOption } from "../src/options/checked-option.js";
import { createProgram } from "../src/program.js";
import { runProgram } from "../src/run-program.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-options-"));
afterAll(() => rmSync(folder, { recursive: true }));
let out = "";
let err = "";

beforeEach(() => {
  [out, err] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

const stowage = (...args: string[]): Promise<number> => runProgram(createProgram(), ["node", "stowage", ...args]);

test("the help of bench fits a screen of 50 lines and 100 columns, and no option is one experiment's", () => {
  const bench = createProgram().commands.find((command) => command.name() === "bench");
  const help = bench?.configureHelp({ helpWidth: 100 }).helpInformation() ?? "";
  const lines = help.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(45); // and five of examples
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(help).not.toMatch(/of a stencil|of vectors|--application|--contend/);
});

describe("an option is never ignored: bad input, in one line, before anything is measured", () => {
  test.each([
    ["bench --route device", "--route: expected --device beside it, got none"],
    ["bench --list --out a.json", "--list: expected no --out beside it, got both"],
    ["bench --calls MPI_INT", "--calls: expected no TYPES beside it, got both"],
    ["bench MPI_INT --size 1KB", "--size: expected bytes, such as 4096, 64KiB or 1MiB, got 1KB"],
    ["bench MPI_INT --mode fast", "--mode: expected call, bound or both, got fast"],
    ["bench MPI_INT --budget 0", "--budget: expected a whole number above 0, got 0"],
    ["explain MPI_INT --from device", "--from: expected --count beside it, got none"],
    ["explain MPI_INT --measure", "--measure: expected --count beside it, got none"],
    ["explain MPI_INT --count 2 --json --svg a.svg", "--svg: expected no --count beside it, got both"],
    ["overheads --project 64 --wire a,b", "--wire: expected nanoseconds and GB/s, such as 1500,25, got a,b"],
    ["overheads --wire 1500,25", "--wire: expected --project beside it, got none"],
    ["overheads --project many", "--project: expected a whole number from 1 to 1048576, got many"],
    ["overheads --ranks 2,x", "--ranks: expected whole numbers from 1 to 256, separated by commas, got x"],
    ["overheads --from a.json", "--from: expected --project beside it, got none"],
    ["report a.json --csv --json", "--csv: expected no --json beside it, got both"],
    ["report a.json --index results", "--index: expected no FILES beside it, got both"],
    ["regret --from a.json --all", "--from: expected no --all beside it, got both"],
    ["calibrate --simulated", "--simulated: expected --device beside it, got none"],
    ["verify --simulated", "--simulated: expected --device beside it, got none"],
    ["explore --out page --port 80", "--out: expected no --port beside it, got both"],
    ["explore --port 65536", "--port: expected a whole number from 0 to 65535, got 65536"],
    ["explore --out /proc/x/y", "--out: expected to write /proc/x/y, got ENOENT"],
    [
      "cache warm a --level avx2,mmx",
      "--level: expected some of sse2, avx2, avx512, ptx, separated by commas, got avx2,mmx",
    ],
    ["module /absent", "/absent/lib: expected a folder of libraries (`stowage cache export`), got ENOENT"],
    ["cache prune --to many", "--to: expected bytes, such as 4096, 64KiB or 1MiB, got many"],
    ["run --record /proc/x/y -- true", "--record: expected to write /proc/x/y, got ENOENT"],
    ["compile MPI_INT -o a --target arm", "--target: expected x86-64, x86-64-v3, x86-64-v4, multi or ptx, got arm"],
    ["profile diff a.json", "missing required argument 'AFTER'"],
    ["bench --wahtever", "unknown option '--wahtever'"],
    ["bench --budgte 3", "unknown option '--budgte' (Did you mean --budget?)"],
    ["benhc", "unknown command 'benhc' (Did you mean bench?)"],
  ])("%s", async (line, expected) => {
    expect(await stowage(...line.split(" "))).toBe(2);
    expect(err).toBe(`stowage: ${expected}\n`);
    expect(out).toBe("");
  });

  test.each(["cache ls", "run -- true"])(
    "a variable of the environment is checked as an option is: %s",
    async (line) => {
      vi.stubEnv("STOWAGE_CACHE_BYTES", "abc");
      expect(await stowage(...line.split(" "))).toBe(2);
      expect(err).toBe("stowage: STOWAGE_CACHE_BYTES: expected a whole number of 0 or more, got abc\n");
      vi.unstubAllEnvs();
    },
  );

  test("every option has rules, whatever they are: no command reads one by itself", () => {
    for (const command of allOf(createProgram()))
      for (const option of command.options)
        expect([
          `${command.name()} ${option.long}`,
          option instanceof CheckedOption || command.parent === null || command.name() === "build",
        ]).toEqual([`${command.name()} ${option.long}`, true]);
  });

  test("every rule names options and arguments that its command has", () => {
    const condition = /^(--[a-z-]+|[A-Z]+)(?: (.+))?$/;
    for (const command of allOf(createProgram())) {
      const names = [
        ...command.options.map(({ long }) => long),
        ...command.registeredArguments.map((each) => each.name()),
      ];
      for (const option of command.options) {
        if (!(option instanceof CheckedOption)) continue;
        const { needs = [], excludes = [], only = [] } = option.rules;
        for (const each of [...needs, ...excludes, ...only]) expect(names).toContain(condition.exec(each)?.[1]);
      }
    }
  });
});

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

describe("what a datatype may be called", () => {
  const file = join(folder, "halo.json");
  writeFileSync(file, '{"kind":"vector","count":3,');

  test.each([
    [() => file, () => `TYPE: expected @ before a file's name (@${file}), got ${file}`],
    [
      () => "mpi_double",
      () => 'type: predefined datatype: expected the MPI name of a C type (did you mean MPI_DOUBLE?), got "mpi_double"',
    ],
    [
      () => "[]",
      () => 'type: datatype: expected an MPI name such as "MPI_DOUBLE" or an object with a kind, got a list of 0',
    ],
    [() => "5", () => 'type: datatype: expected an MPI name such as "MPI_DOUBLE" or an object with a kind, got 5'],
    [() => "vector-8@x", () => "vector-8@x: expected bytes, such as 4096, 64KiB or 1MiB behind @, got x"],
    [() => "zzzzzzzz", () => 'workload: expected a known name, got "zzzzzzzz"'],
    [() => `@${file}`, () => `${file}: type: document: expected JSON, got `],
  ])("%s is told for what it is", async (argument, expected) => {
    for (const command of ["explain", "bench"]) {
      err = "";
      expect(await stowage(command, argument())).toBe(2);
      expect(err.startsWith(`stowage: ${expected()}`)).toBe(true);
      expect(err.trimEnd()).not.toContain("\n");
    }
  });
});

test("an output in folders that are not there is written with them, and nothing is left of bad input", async () => {
  const svg = join(folder, "a", "b", "c.svg");
  expect(await stowage("explain", "no such type", "--svg", svg)).toBe(2);
  expect(existsSync(join(folder, "a"))).toBe(false);
  expect(await stowage("explain", "MPI_INT", "--svg", svg)).toBe(0);
  expect(readdirSync(join(folder, "a", "b"))).toEqual(["c.svg"]);
});

test("a result file that is none is told by field, expectation and what it has", async () => {
  const file = join(folder, "wrong.json");
  writeFileSync(
    file,
    JSON.stringify({
      schema: "stowage-results/1",
      command: "c",
      date: "d",
      commit: "e",
      machine: { cpu: "c", cores: "two", node: "v20" },
      rows: [],
    }),
  );
  expect(await stowage("report", file)).toBe(2);
  expect(err).toBe(`stowage: ${file}: machine.cores: expected a number, got "two"\n`);
});

describe("text of a file", () => {
  const ORDERS = "\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\r";
  const row = {
    workload: `a${ORDERS}`,
    count: 1,
    packedBytes: 8,
    direction: "pack",
    route: "host",
    contender: `x${ORDERS}`,
    medianNs: 1,
    minNs: 1,
    maxNs: 1,
    runs: 1,
    verified: true,
    commitNs: 0,
  };
  const results = (rows: readonly object[], more: object = {}) => ({
    ...{ schema: "stowage-results/1", command: `c${ORDERS}`, date: ORDERS, commit: ORDERS },
    ...{ machine: { cpu: ORDERS, cores: 1, node: "v20" }, rows, ...more },
  });
  const mine = join(folder, "orders.json");
  writeFileSync(mine, JSON.stringify(results([row, { ...row, contender: "memcpy" }])));
  const orders = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

  test.each([[], ["--csv"], ["--osu"], ["--json"], ["--over", mine], ["--against", `${ORDERS}`]])(
    "gives no orders to a terminal: report %j",
    async (...args) => {
      await stowage("report", mine, ...args);
      expect(`${out}${err}`.length).toBeGreaterThan(20);
      expect(out).not.toMatch(orders);
      expect(err).not.toMatch(orders);
    },
  );

  test("stays the same JSON", async () => {
    expect(await stowage("report", mine, "--json")).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: [row, {}] });
  });

  test.each([
    ["a program's", (name: string) => ({ schema: name })],
    [
      "a contender's",
      (name: string) =>
        results([
          { ...row, contender: name },
          { ...row, contender: "memcpy" },
        ]),
    ],
    ["a workload's", (name: string) => results([{ ...row, workload: name }])],
    ["a machine's", (name: string) => results([row], { machine: { cpu: name, cores: 1, node: name } })],
  ])("%s name of 300,000 letters is a name as others are", async (_, document) => {
    const file = join(folder, "long.json");
    for (const name of ["w".repeat(300_000), " ".repeat(300_000), "w\n".repeat(150_000)]) {
      writeFileSync(file, JSON.stringify(document(name)));
      err = "";
      expect([0, 2]).toContain(await stowage("report", file));
      expect(err).not.toContain("call stack");
      expect(err.length).toBeLessThan(1500);
    }
  });
});

describe("completion", () => {
  const complete = async (shell: string): Promise<string> => {
    out = "";
    expect(await stowage("completion", shell)).toBe(0);
    return out;
  };
  /** What bash offers for the last of some words. */
  const offered = (script: string, ...words: string[]): readonly string[] => {
    const given = words.map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _stowage; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", `${script}\n${ask}`], { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((each) => each !== "");
  };

  test("bash offers commands, options, their values and datatypes", async () => {
    const script = await complete("bash");
    expect(offered(script, "stowage", "ex")).toEqual(["explain", "explore"]);
    expect(offered(script, "stowage", "cache", "")).toEqual(["ls", "prune", "export", "warm"]);
    expect(offered(script, "stowage", "bench", "--mode", "")).toEqual(["call", "bound", "both"]);
    expect(offered(script, "stowage", "bench", "--pe")).toEqual(["--peers"]);
    expect(offered(script, "stowage", "explain", "MILC_su3_zdown/0")).toEqual(["MILC_su3_zdown/0"]);
    expect(offered(script, "stowage", "report", "--plots", tmpdir())).toEqual([tmpdir()]);
  });

  test("every command is in every shell's", async () => {
    const names = createProgram().commands.map((each) => each.name());
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await complete(shell);
      expect(names.filter((name) => !script.includes(name))).toEqual([]);
    }
  });
});

test("help has commands in groups, and examples", async () => {
  expect(await stowage("--help")).toBe(0);
  expect(out).toMatch(/Look at datatypes:\n {2}start .*[^]*Measure:\n {2}bench[^]*Examples:\n {2}stowage explain/);
});
