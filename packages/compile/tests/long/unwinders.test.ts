import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hindexed, predefined, vector } from "@stowage/ir";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileTypes } from "../../src/index.js";
import { TARGETS_HERE } from "../golden/targets-here.js";
import { goldenSteps, steppedTypes } from "../unwind/stepped-types.js";
import { buildStepping, runStepping } from "../unwind/step-cases.js";

const folder = mkdtempSync(join(tmpdir(), "unwinders-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
const hasGdb = run("gdb", "--version").status === 0;
const hasLibunwind = run("gcc", "-lunwind", "-shared", "-o", join(folder, "none.so")).status === 0;

describe.each([
  ["the compiler's own library", []],
  ...(hasLibunwind ? [["libunwind", ["-DLIBUNWIND", "-lunwind"]] as const] : []),
] as const)("by %s, from every instruction the caller is found, with its registers", (_, flags) => {
  test.each(TARGETS_HERE)("of all golden types, at %s", (target) => {
    const types = [...steppedTypes, ...goldenSteps(1)];
    expect(buildStepping(folder, types, target, flags)).toBe("");
    const { steps, places, wrong, messages } = runStepping(folder, 20_000);
    expect([wrong, messages]).toEqual([0, ""]);
    expect(places).toBeGreaterThan(types.length * 100);
    expect(steps).toBeGreaterThan(places);
  });
});

const SOURCE = `#include "big.h"
#include <stdlib.h>
int main(void) {
  char *memory = calloc(8, big_extent), *packed = malloc(8 * big_size);
  for (int i = 0; i < 20000; i++) {
    big_pack(memory, packed, 8, 0, 8 * big_size);
    big_unpack(packed + 3, memory, 8, 3, 8 * big_size - 7);
  }
}
`;

/** Steps on from the first call, and asks for the names of all frames each time. */
const STEPPING = `import gdb
for setting in ("pagination off", "confirm off", "debuginfod enabled off"):
    gdb.execute("set " + setting, to_string=True)
gdb.execute("break big_pack", to_string=True)
gdb.execute("run", to_string=True)
right = 0
for step in range(2000):
    gdb.execute("stepi", to_string=True)
    names, frame = [], gdb.newest_frame()
    while frame is not None:
        names.append(frame.name())
        frame = frame.older()
    right += names[-1] == "main" and all(name.startswith(("big_pack", "stowage_choose_level")) for name in names[:-1])
print("%d of 2000" % right)
`;

describe("debuggers and profilers", () => {
  const at = (name: string) => join(folder, name);
  beforeAll(() => {
    const types = [
      {
        symbol: "big",
        datatype: vector(
          24,
          3,
          7,
          hindexed([1, 30, 3, 100, 17, 1], [0, 20, 300, 1000, 800, 400], predefined("MPI_INT")),
        ),
      },
    ];
    for (const { ending, bytes } of compileTypes(types, { name: "big", target: "multi", language: "c" }))
      writeFileSync(at(`big${ending}`), bytes);
    writeFileSync(at("use.c"), SOURCE);
    writeFileSync(at("step.py"), STEPPING);
    expect(run("gcc", "-g", "-O1", "-o", at("use"), at("use.c"), at("big.o")).stderr).toBe("");
  });

  test.runIf(hasGdb)("gdb tells all frames up to main behind each of 2000 instructions", () => {
    expect(run("gdb", "-batch", "-nx", "-x", at("step.py"), at("use")).stdout).toContain("2000 of 2000");
  });

  test("perf --call-graph dwarf finds main from every sample in our code, and names the level", (context) => {
    const recorded = run(
      "perf",
      "record",
      "-e",
      "cpu-clock",
      "--call-graph",
      "dwarf",
      "-o",
      at("perf.data"),
      at("use"),
    );
    if (recorded.status !== 0) context.skip("perf records nothing here");
    const { stdout } = run("perf", "script", "-i", at("perf.data"), "-F", "ip,sym");
    const samples = stdout
      .trim()
      .split("\n\n")
      .map((sample) => sample.split("\n").flatMap((line) => line.trim().split(/\s+/)[1] ?? []));
    const ours = samples.filter(([first]) => first?.startsWith("big_"));
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.filter((sample) => !sample.includes("main"))).toEqual([]);
    expect(ours.some(([first]) => /^big_(un)?pack\.(sse2|avx2|avx512)$/.test(first ?? ""))).toBe(true);
  });
});

test("what was skipped is said", () => {
  if (!hasGdb) console.warn("no gdb: its frames were not looked at");
  if (!TARGETS_HERE.includes("x86-64-v4")) console.warn("no AVX-512: its code was not run");
  if (!hasLibunwind) console.warn("no libunwind: it unwound nothing");
});
