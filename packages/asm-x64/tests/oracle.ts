import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const hasGnuAs = spawnSync("as", ["--version"]).status === 0;

/** What GNU as makes of lines in Intel's syntax: the bytes of .text. */
export function assembleByGnu(lines: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "asm-x64-"));
  try {
    writeFileSync(join(folder, "a.s"), `.intel_syntax noprefix\n.text\n${lines.join("\n")}\n`);
    const made = spawnSync("as", ["--64", "-o", join(folder, "a.o"), join(folder, "a.s")], { encoding: "utf8" });
    if (made.status !== 0) throw new Error(made.stderr);
    const cut = spawnSync("objcopy", ["-O", "binary", "-j", ".text", join(folder, "a.o"), join(folder, "a.bin")], {
      encoding: "utf8",
    });
    if (cut.status !== 0) throw new Error(cut.stderr);
    return readFileSync(join(folder, "a.bin"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
