import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url));
const RAGGED = {
  kind: "indexed",
  blocklengths: Array.from({ length: 300 }, (_, i) => 1 + (i % 5)),
  displacements: Array.from({ length: 300 }, (_, i) => 7 * i),
  child: "MPI_INT",
};
const TYPES = ["MILC_su3_zdown/0", "MPI_DOUBLE_INT", "@ragged.json"];

/** Every kind of output. */
const RUNS: readonly (readonly string[])[] = [
  ...["x86-64", "x86-64-v3", "x86-64-v4", "multi"].map((target) => [
    ...TYPES,
    "--target",
    target,
    "-o",
    `lib-${target}`,
  ]),
  ["MPI_DOUBLE_INT", "--visibility", "hidden", "-o", "hidden"],
  [...TYPES, "--language", "fortran", "-o", "fortran"],
  [...TYPES, "--language", "python", "-o", "module"],
  [...TYPES, "--language", "c++", "-o", "offsets"],
  [...TYPES, "--language", "cuda", "-o", "offsets"],
  [...TYPES, "--language", "artifact", "-o", "stored"],
  [...TYPES, "--language", "artifact", "--target", "ptx", "-o", "gpu"],
  [...TYPES, "--target", "ptx", "-o", "kernels"],
  [...TYPES, "--target", "ptx", "--language", "python", "-o", "kernels"],
  ["MILC_su3_zdown/0", "--target", "ptx", "--language", "python", "--pages", "-o", "pages"],
  ["MILC_su3_zdown/0", "--target", "ptx", "--language", "c++", "--pages", "-o", "pages"],
];

function writeAll(folder: string, env: NodeJS.ProcessEnv): ReadonlyMap<string, Buffer> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ragged.json"), JSON.stringify(RAGGED));
  for (const args of RUNS) {
    const { stderr } = spawnSync(process.execPath, [STOWAGE, "compile", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    expect(stderr, args.join(" ")).toBe("");
  }
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

test("the same command gives the same bytes, in another process, folder, zone and language", () => {
  const root = mkdtempSync(join(tmpdir(), "same-bytes-"));
  try {
    const first = writeAll(join(root, "a"), { TZ: "UTC", LC_ALL: "C" });
    const second = writeAll(join(root, "b", "deeper"), { TZ: "Asia/Tokyo", LC_ALL: "de_DE.UTF-8", HOME: root });
    expect(first.size).toBeGreaterThan(30);
    expect([...second.keys()]).toEqual([...first.keys()]);
    for (const [name, bytes] of first) {
      expect(second.get(name)?.equals(bytes), name).toBe(true);
      expect(bytes.includes(root), `${name} names its folder`).toBe(false);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
