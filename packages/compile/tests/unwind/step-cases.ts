import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { boundsOf, type Datatype } from "@stowage/ir";
import { compileTypes, type X64Target } from "../../src/index.js";

/** A datatype whose functions are stepped through, and the one that its copies go to. */
export interface SteppedType {
  readonly datatype: Datatype;
  readonly copiesTo?: Datatype;
}

const SOURCE = fileURLToPath(new URL("step.c", import.meta.url));
const COUNT = 3;

/** Where elements of a type lie: bytes that hold them, and the place of address 0 in them. */
function memoryOf(datatype: Datatype) {
  const { extentBytes, trueLowerBoundBytes, trueExtentBytes } = boundsOf(datatype);
  const steps = (COUNT - 1) * extentBytes;
  const low = Math.min(0, trueLowerBoundBytes + Math.min(0, steps));
  const high = Math.max(0, trueLowerBoundBytes + trueExtentBytes + Math.max(0, steps));
  return { bytes: high - low, origin: -low };
}

type Side = ReturnType<typeof memoryOf>;

/** Whole elements, one element, and ranges that cut through elements and blocks on both ends. */
function callsOf({ datatype, copiesTo }: SteppedType, i: number): readonly string[] {
  const size = boundsOf(datatype).sizeBytes;
  const total = COUNT * size;
  const ranges = [
    [0, total],
    [1, total - 2],
    [Math.floor(size / 2), size],
    [Math.floor(total / 3) | 1, Math.floor(total / 7)],
    [0, 0],
  ].filter(([first = 0, length = 0]) => length >= 0 && first + length <= total);
  const packed: Side = { bytes: total, origin: 0 };
  const scattered = memoryOf(datatype);
  const row = (name: string, [first, length]: readonly number[], source: Side, target: Side): string =>
    `{(void (*)(const void *, void *, int64_t, int64_t, int64_t))t${i}_${name}, ${COUNT}, ${first}, ${length}, ${source.bytes}, ${source.origin}, ${target.bytes}, ${target.origin}},`;
  return [
    ...ranges.map((range) => row("pack", range, scattered, packed)),
    ...ranges.map((range) => row("unpack", range, packed, scattered)),
    ...(copiesTo === undefined ? [] : ranges.map((range) => row("copy", range, scattered, memoryOf(copiesTo)))),
    row("pack_element", [0, 0], scattered, packed),
    row("unpack_element", [0, 0], packed, scattered),
  ];
}

/** The program that steps through the functions of some types; what the compiler said. */
export function buildStepping(
  folder: string,
  types: readonly SteppedType[],
  target: X64Target,
  flags: readonly string[] = [],
): string {
  const named = types.map((type, i) => ({ symbol: `t${i}`, ...type }));
  for (const { ending, bytes } of compileTypes(named, { name: "cases", target, language: "c" }))
    writeFileSync(join(folder, `types${ending === ".o" ? ".a" : ending}`), bytes);
  const rows = types.flatMap((type, i) => callsOf(type, i));
  writeFileSync(
    join(folder, "cases.h"),
    `#include "types.h"\nstatic const struct call calls[] = {\n${rows.join("\n")}\n};\n`,
  );
  const library = join(folder, "libcases.so");
  const whole = ["-Wl,--whole-archive", join(folder, "types.a"), "-Wl,--no-whole-archive"];
  const shared = spawnSync("gcc", ["-shared", "-nostdlib", "-Wl,--fatal-warnings", "-o", library, ...whole]);
  const own = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", `-I${folder}`];
  const program = ["-o", join(folder, "step"), SOURCE, library, `-Wl,-rpath,${folder}`, ...flags];
  const made = spawnSync("gcc", [...own, ...program], { encoding: "utf8" });
  return `${shared.stderr.toString()}${made.stderr}`;
}

/** What it printed: instructions run, places unwound from, failures; and what those were. */
export function runStepping(folder: string, mostSteps: number) {
  const { stdout, stderr, signal } = spawnSync(join(folder, "step"), [String(mostSteps)], { encoding: "utf8" });
  const [steps = 0, places = 0, wrong = -1] = (stdout.match(/\d+/g) ?? []).map(Number);
  return { steps, places, wrong, messages: `${stderr}${signal ?? ""}` };
}
