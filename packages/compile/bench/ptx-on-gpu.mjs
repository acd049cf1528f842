// Makes the C program of tests/ptx for a machine with a GPU: node packages/compile/bench/ptx-on-gpu.mjs FOLDER. It is linked with a
// stub of the driver's name, needs nothing but libc and libcuda.so.1, and is run there as FOLDER/use.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
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
const [folder = "tmp/ptx-on-gpu"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const here = (name) => fileURLToPath(new URL(`../tests/ptx/${name}`, import.meta.url));
const named = Object.entries(TYPES).map(([symbol, text]) => ({ symbol, datatype: parseDatatypeText(text) }));
for (const { ending, bytes } of compileTypes(named, { name: "types", target: "ptx", language: "c" }))
  writeFileSync(join(folder, `types${ending}`), bytes);

function gcc(...args) {
  const { status } = spawnSync("gcc", ["-std=c11", "-O1", ...args], { stdio: "inherit" });
  if (status !== 0) throw new Error(`gcc: expected to pass, ended with ${status}`);
}
const stub = join(folder, "libcuda.so.1");
const sources = [here("use.c"), here("gpu-memory.c"), join(folder, "types.c")];
gcc("-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", stub, here("stub-cuda.c"));
gcc(`-I${folder}`, "-o", join(folder, "use"), ...sources, stub, "-Wl,--unresolved-symbols=ignore-all");
