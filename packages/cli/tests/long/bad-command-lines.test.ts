import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { afterAll, expect, test } from "vitest";
import { CheckedOption } from "../../src/options/checked-option.js";
import type { ValueKind } from "../../src/options/value-kind.js";
import { createProgram } from "../../src/program.js";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));
const LIMIT_MS = 60_000;
const AT_A_TIME = 4;
const LEAST_LINES = 300;

const folder = mkdtempSync(join(tmpdir(), "stowage-bad-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "folder"));
writeFileSync(join(folder, "file.txt"), "no results\n");
writeFileSync(join(folder, "cut.json"), '{"kind":"vector","count":3');
writeFileSync(join(folder, "bytes.json"), new Uint8Array(4096).fill(0xff));
writeFileSync(join(folder, "empty"), "");

/** One value that an option of a kind takes, and values that it does not. */
function values(value: ValueKind | undefined): { readonly good: readonly string[]; readonly bad: readonly string[] } {
  if (value === undefined) return { good: [], bad: [] };
  switch (value.kind) {
    case "choice":
      return {
        good: [value.of[0] as string],
        bad: ["nothing-such", "", `${value.of[0]} `, (value.of[0] as string).toUpperCase()],
      };
    case "whole": {
      const lists = value.isList === true ? ["1,,2", "1,x", ","] : ["1,2"];
      const most = value.most === undefined ? [] : [String(value.most + 1)];
      return {
        good: ["2"],
        bad: ["abc", "-1", "1.5", "1e3", "", "0x10", "NaN", "99999999999999999999", ...lists, ...most],
      };
    }
    case "bytes":
      return { good: ["1KiB"], bad: ["big", "1KB", "-1", "1.5KiB", "", "KiB", "99999999999GiB"] };
    case "wire":
      return { good: ["1500,25"], bad: ["a,b", "1500", "1500,0", ",", "1,2,3", "-1,2", "", "1,Infinity"] };
    case "output":
      return value.of === "file"
        ? { good: ["out.json"], bad: ["folder", "file.txt/x.json", "/proc/x/y.json"] }
        : { good: ["out"], bad: ["file.txt", "file.txt/x", "/proc/x/y"] };
    case "input":
    case "text":
      return { good: ["text"], bad: [""] };
  }
}

/** What a command cannot be without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  compile: ["MPI_INT", "-o", "kernel"],
  diff: ["a.json", "b.json"],
  export: ["folder"],
  run: ["true"],
  completion: ["bash"],
};

const linesOf = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] => [
  ...command.options.flatMap((option) => (option instanceof CheckedOption ? linesOfOption(command, option, path) : [])),
  [...path, "--no-such-option", ...(REQUIRED[command.name()] ?? [])],
  ...command.commands.flatMap((each) => linesOf(each, [...path, each.name()])),
];

function linesOfOption(
  command: Command,
  option: CheckedOption,
  path: readonly string[],
): readonly (readonly string[])[] {
  const { value, needs = [], excludes = [], only } = option.rules;
  const flag = option.long as string;
  const rest = REQUIRED[command.name()] ?? [];
  const beside = (condition: string): readonly string[] => {
    const [name = "", given] = condition.split(" ");
    const other = command.options.find(({ long }) => long === name);
    if (other === undefined) return ["MPI_INT"];
    const sample = given ?? (other instanceof CheckedOption ? values(other.rules.value).good[0] : undefined);
    return sample === undefined ? [name] : [`${name}=${sample}`];
  };
  const needed = needs[0] === undefined ? [] : beside(needs[0]);
  const typed = beside(flag);
  const others =
    only === undefined ? [] : command.options.filter(({ long }) => long !== flag && !only.includes(long as string));
  return [
    ...values(value).bad.map((bad) => [...path, ...needed, `${flag}=${bad}`, ...rest]),
    ...(needs.length === 0 ? [] : [[...path, ...typed, ...rest]]),
    ...excludes.map((each) => [...path, ...needed, ...typed, ...beside(each), ...rest]),
    ...others.map(({ long }) => [...path, ...typed, ...beside(long as string), ...rest]),
  ];
}

/** Arguments that name nothing, hold nothing, or something else than was asked for. */
const HAND_PICKED: readonly string[] = [
  ...["explain", "bench", "compile -o k"].flatMap((command) =>
    [
      "{",
      "[]",
      "5",
      "-5",
      "null",
      "mpi_double",
      "MPI_NOTHING",
      "zzz",
      "@none.json",
      "@folder",
      "@cut.json",
      "@bytes.json",
      "@empty",
      "cut.json",
      '{"kind":1}',
      '{"kind":"vector"}',
      '{"kind":"dup","child":"MPI_INT","x":1}',
      '"MPI_INT',
      "@",
      "vector-8@",
      "vector-8@x",
      "\u001b[2J",
    ].map((type) => `${command} ${type}`),
  ),
  ...[
    "report",
    "report --json",
    "report --csv",
    "report --html=out.html",
    "regret --from",
    "profile show",
    "verify",
    "overheads --project=64 --from",
  ].flatMap((command) =>
    ["none.json", "file.txt", "cut.json", "bytes.json", "empty", "folder"].map((file) => `${command} ${file}`),
  ),
  "explain",
  "report",
  "compile",
  "compile -o k",
  "compile MPI_INT",
  "profile diff",
  "profile diff a.json",
  "cache export",
  "run",
  "completion",
  "completion csh",
  "nothing",
  "cache nothing",
  "explain MPI_INT MPI_INT",
  "doctor extra",
  "profile show a b",
  "bench MPI_INT --backend=nothing",
  "verify --backend=nothing",
  "overheads nothing",
  "overheads --mpi=nothing",
  "report cut.json --against",
  "bench --pingpong MPI_INT --size",
  "compile MPI_INT -o folder/",
  "compile MPI_INT -o k --symbol=a --symbol=b",
  "bench MPI_INT --mode",
  "--nothing",
];

function run(line: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [STOWAGE, ...line], {
    cwd: folder,
    timeout: LIMIT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += String(text)));
  child.stderr.on("data", (text) => (err += String(text)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

/** What is wrong with how a bad command line was refused; undefined where nothing is. */
function faultOf({ code, out, err }: Awaited<ReturnType<typeof run>>): string | undefined {
  if (code !== 2) return `status ${code}`;
  if (out !== "") return "wrote on standard output";
  if (!/^stowage: [^\n]+\n$/.test(err)) return "not one line";
  if (!/expected|unknown|missing|too many|required option|Allowed choices/.test(err))
    return "does not say what was expected";
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(err)) return "orders to the terminal";
  if (/^\s+at |[A-Z][a-z]+Error\b|ZodError|undefined|call stack/m.test(err)) return "speaks of our insides";
  return undefined;
}

test(
  "every bad command line is refused by status 2 and one line, in time, and leaves nothing behind",
  { timeout: 3_600_000 },
  async () => {
    const lines = [...linesOf(createProgram()), ...HAND_PICKED.map((line) => line.split(" "))];
    expect(lines.length).toBeGreaterThan(LEAST_LINES);
    const before = readdirSync(folder, { recursive: true }).sort();
    const faults: string[] = [];
    const waiting = [...lines];
    const work = async (): Promise<void> => {
      for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
        const ended = await run(line);
        const fault = faultOf(ended);
        if (fault !== undefined) faults.push(`${JSON.stringify(line)}: ${fault}: ${ended.err.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    console.log(`${lines.length} bad command lines`);
    expect(faults).toEqual([]);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  },
);
