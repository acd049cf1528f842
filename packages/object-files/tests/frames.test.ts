import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frameInstructions, r12, rbx, type FrameRow } from "@stowage/asm-x64";
import { ArgumentError } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { relocatableObject, sharedObject, type FrameTable, type ObjectFile, type Section } from "../src/index.js";

const hasTools = spawnSync("as", ["--version"]).status === 0 && spawnSync("readelf", ["--version"]).status === 0;
const hasElflint = spawnSync("eu-elflint", ["--version"]).status === 0;

/** push rbx; push r12; sub rsp, 4096; ...; add rsp, 4096; pop r12; pop rbx; ret. */
const CODE = Uint8Array.of(
  ...[0x53, 0x41, 0x54, 0x48, 0x81, 0xec, 0, 0x10, 0, 0],
  ...Array.from({ length: 300 }, () => 0x90),
  ...[0x48, 0x81, 0xc4, 0, 0x10, 0, 0, 0x41, 0x5c, 0x5b, 0xc3],
);
const saved = [rbx, r12].map((register, i) => ({ register, belowCfaBytes: 16 + 8 * i }));
const ROWS: readonly FrameRow[] = [
  { offset: 0, cfaBytes: 8, saved: [] },
  { offset: 1, cfaBytes: 16, saved: saved.slice(0, 1) },
  { offset: 3, cfaBytes: 24, saved },
  { offset: 10, cfaBytes: 4120, saved },
  { offset: 317, cfaBytes: 24, saved },
  { offset: 319, cfaBytes: 16, saved: saved.slice(0, 1) },
  { offset: 320, cfaBytes: 8, saved: [] },
];
const FRAMES: FrameTable = {
  startBytes: 0,
  endBytes: CODE.length,
  instructions: frameInstructions({ rows: ROWS, endBytes: CODE.length }),
};
const SAME = `.text
f: .cfi_startproc
push %rbx; .cfi_def_cfa_offset 16; .cfi_offset %rbx, -16
push %r12; .cfi_def_cfa_offset 24; .cfi_offset %r12, -24
sub $4096, %rsp; .cfi_def_cfa_offset 4120
.fill 300, 1, 0x90
add $4096, %rsp; .cfi_def_cfa_offset 24
pop %r12; .cfi_def_cfa_offset 16; .cfi_restore %r12
pop %rbx; .cfi_def_cfa_offset 8; .cfi_restore %rbx
ret
.cfi_endproc
`;

const section = (name: string, frames?: FrameTable): Section => ({
  ...{ name, kind: "code", alignmentBytes: 64, bytes: CODE, relocations: [] },
  ...(frames === undefined ? {} : { frames }),
});
const file = (visibility: "default" | "hidden" | "local" = "default"): ObjectFile => ({
  sections: [section(".text.none"), section(".text.f", FRAMES), section(".text.g", FRAMES)],
  symbols: ["none", "f", "g"].map((name, i) => ({
    ...{ name, section: i, offsetBytes: 0, sizeBytes: CODE.length },
    visibility: name === "f" ? visibility : "default",
  })),
  features: ["ibt", "shstk"],
});

describe.runIf(hasTools)("what unwinders and linkers are told", () => {
  const folder = mkdtempSync(join(tmpdir(), "frames-"));
  const at = (name: string) => join(folder, name);
  const run = (command: string, ...args: string[]): string => {
    const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
    return `${stdout}${stderr}`;
  };
  /** The rows of each function's table, as readelf interprets them, from its first byte on. */
  const tablesOf = (path: string): readonly string[] =>
    run("readelf", "-wF", path)
      .split(/^\S+ \S+ \S+ FDE.*$/m)
      .slice(1)
      .map((text) => {
        const rows = text.split("\n").filter((line) => /^[0-9a-f]{16} /.test(line));
        const start = Number.parseInt(rows[0]?.slice(0, 16) ?? "0", 16);
        return rows.map((row) => `${Number.parseInt(row.slice(0, 16), 16) - start}${row.slice(16)}`).join("\n");
      });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("frames are what GNU as makes of the same directives, in objects and in shared objects", () => {
    writeFileSync(at("same.s"), SAME);
    expect(run("as", "-o", at("same.o"), at("same.s"))).toBe("");
    const [expected] = tablesOf(at("same.o"));
    expect(expected?.split("\n")).toHaveLength(ROWS.length);
    writeFileSync(at("ours.o"), relocatableObject(file()));
    writeFileSync(at("ours.so"), sharedObject(file(), "ours.so"));
    expect(tablesOf(at("ours.o"))).toEqual([expected, expected]);
    expect(tablesOf(at("ours.so"))).toEqual([expected, expected]);
  });

  test("the table of a shared object leads to each function's record, and readelf warns of nothing", () => {
    writeFileSync(at("ours.so"), sharedObject(file(), "ours.so"));
    const all = run("readelf", "-aW", at("ours.so"));
    expect(all).not.toMatch(/warning|error/i);
    for (const segment of ["GNU_EH_FRAME", "GNU_PROPERTY", "GNU_RELRO", "GNU_STACK"]) expect(all).toContain(segment);
    expect(all).toMatch(/BIND_NOW/);
  });

  test("features are told of objects, of a relocatable link of them, and of shared objects", () => {
    writeFileSync(at("ours.o"), relocatableObject(file()));
    writeFileSync(at("ours.so"), sharedObject(file(), "ours.so"));
    expect(run("ld", "-r", "-z", "cet-report=error", "-o", at("both.o"), at("ours.o"))).toBe("");
    for (const name of ["ours.o", "ours.so", "both.o"])
      expect(run("readelf", "-n", at(name))).toMatch(/x86 feature: IBT, SHSTK/);
  });

  test("a hidden function is seen by the link alone, a local one by its object", () => {
    for (const visibility of ["hidden", "local"] as const) {
      writeFileSync(at("ours.o"), relocatableObject(file(visibility)));
      expect(run("readelf", "-sW", at("ours.o"))).toMatch(
        visibility === "hidden" ? /FUNC +GLOBAL HIDDEN .* f$/m : /FUNC +LOCAL +DEFAULT .* f$/m,
      );
      expect(run("ld", "-shared", "-o", at("linked.so"), at("ours.o"))).toBe("");
      writeFileSync(at("ours.so"), sharedObject(file(visibility), "ours.so"));
      for (const name of ["linked.so", "ours.so"]) {
        const symbols = run("readelf", "--dyn-syms", "-W", at(name));
        expect(symbols).toMatch(/ g$/m);
        expect(symbols).not.toMatch(/ f$/m);
      }
    }
  });

  test.runIf(hasElflint)("eu-elflint finds no fault", () => {
    writeFileSync(at("ours.o"), relocatableObject(file("hidden")));
    writeFileSync(at("ours.so"), sharedObject(file("local"), "ours.so"));
    for (const name of ["ours.o", "ours.so"]) expect(run("eu-elflint", "--gnu", at(name))).toBe("No errors\n");
  });
});

test("tables of frames that lead outside, end before they start or hold no instructions are refused in one line", () => {
  const refused = (change: object, expected: string): void =>
    expect(() => relocatableObject({ sections: [section(".text", { ...FRAMES, ...change })], symbols: [] })).toThrow(
      expected,
    );
  refused({ endBytes: 1000 }, "expected an end within the");
  refused({ startBytes: 9, endBytes: 8 }, "start of a table of frames: expected at most its end, 8, got 9");
  refused({ instructions: [1, 2] }, "instructions");
  const features = ["nx"] as unknown as readonly "ibt"[];
  expect(() => relocatableObject({ sections: [], symbols: [], features })).toThrow(ArgumentError);
});
