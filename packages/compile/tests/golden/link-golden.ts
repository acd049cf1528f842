import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTypes, type X64Target } from "../../src/index.js";
import { datatypeOf, goldenTypes, touchedBytes, type Golden } from "./golden-types.js";

const SOURCE = fileURLToPath(new URL("golden.c", import.meta.url));

/** What the C program is told of each type: its functions, and its buffer. */
function casesOf(types: readonly Golden[]): string {
  const rows = types.map((golden, i) => {
    const { count, size, buffer, origin } = golden;
    return `{g${i}_pack, g${i}_unpack, g${i}_pack_element, g${i}_unpack_element, ${count}, ${size}, g${i}_extent, ${buffer}, ${origin}, ${touchedBytes(golden)}},`;
  });
  return `#include "golden.h"\nstatic const struct golden cases[] = {\n${rows.join("\n")}\n};\n`;
}

export interface Linked {
  readonly messages: string;
  readonly hashes: readonly string[];
  readonly expected: readonly string[];
}

/** Compiles all golden types into one static library, links a C program with it by each command, and runs it. */
export function linkGolden(target: X64Target, commands: readonly (readonly string[])[]): readonly Linked[] {
  const types = goldenTypes();
  const folder = mkdtempSync(join(tmpdir(), "compile-golden-"));
  try {
    const named = types.map((golden, i) => ({ symbol: `g${i}`, datatype: datatypeOf(golden) }));
    for (const { ending, bytes } of compileTypes(named, { name: "golden", target, language: "c" }))
      writeFileSync(join(folder, `golden${ending}`), bytes);
    writeFileSync(join(folder, "cases.h"), casesOf(types));
    return commands.map((command) => linkAndRun(types, folder, command));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linkAndRun(types: readonly Golden[], folder: string, [compiler = "cc", ...flags]: readonly string[]): Linked {
  const program = join(folder, "golden");
  const args = [...flags, "-std=c11", "-Wall", "-Wextra", "-Werror", `-I${folder}`, "-o", program, SOURCE];
  const made = spawnSync(compiler, [...args, join(folder, "golden.a")], { encoding: "utf8" });
  if (made.status !== 0) return { messages: made.stderr, hashes: [], expected: [] };
  const { stdout, stderr } = spawnSync(program, { maxBuffer: 2 ** 28 });
  let at = 0;
  const hashes = types.map(({ count, size }) =>
    createHash("sha256")
      .update(stdout.subarray(at, (at += count * size)))
      .digest("hex"),
  );
  return { messages: `${made.stderr}${stderr.toString()}`, hashes, expected: types.map(({ sha256 }) => sha256) };
}
