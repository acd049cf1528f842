// The C program of tests/ptx on a real GPU: node packages/compile/bench/ptx-on-gpu.mjs. Needs gcc, or what CC names, and libcuda.so.1.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTypes } from "@stowage/compile";
import { parseDatatypeText } from "@stowage/ir";

// The shapes that tests/ptx/use.c knows.
const TYPES = {
  column: '{"kind":"vector","count":8,"blocklength":1,"stride":5,"child":"MPI_DOUBLE"}',
  bytes: '{"kind":"vector","count":3,"blocklength":3,"stride":7,"child":"MPI_BYTE"}',
  listed: '{"kind":"indexed_block","blocklength":1,"displacements":[5,0,9],"child":"MPI_DOUBLE"}',
};
const folder = mkdtempSync(join(tmpdir(), "ptx-on-gpu-"));
const here = (name) => fileURLToPath(new URL(`../tests/ptx/${name}`, import.meta.url));
const named = Object.entries(TYPES).map(([symbol, text]) => ({ symbol, datatype: parseDatatypeText(text) }));
for (const { ending, bytes } of compileTypes(named, { name: "types", target: "ptx", language: "c" }))
  writeFileSync(join(folder, `types${ending}`), bytes);

const program = join(folder, "use");
const sources = [here("use.c"), here("gpu-memory.c"), join(folder, "types.c")];
const options = { stdio: ["ignore", "inherit", "inherit"] };
const made = spawnSync(
  process.env.CC ?? "gcc",
  ["-std=c11", "-O1", `-I${folder}`, "-o", program, ...sources, "-l:libcuda.so.1"],
  options,
);
if (made.status !== 0) throw new Error("compiler: expected to make the program, failed");
process.exitCode = spawnSync(program, [], options).status ?? 1;
