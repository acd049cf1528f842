// Writes what the C program of tests/ptx needs to run on a GPU: node packages/compile/checks/ptx-on-gpu.mjs FOLDER. It
// prints the command that builds and runs it, on a machine with the driver and gcc: "0 wrong" where every byte is
// right.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
const named = Object.entries(TYPES).map(([symbol, text]) => ({ symbol, datatype: parseDatatypeText(text) }));
for (const { ending, bytes } of compileTypes(named, { name: "types", target: "ptx", language: "c" }))
  writeFileSync(join(folder, `types${ending}`), bytes);

const sources = ["use.c", "gpu-memory.c"].map((name) => join("packages/compile/tests/ptx", name));
const program = join(folder, "use");
console.log(
  `gcc -std=c11 -O1 -I${folder} -o ${program} ${sources.join(" ")} ${join(folder, "types.c")} -l:libcuda.so.1 && ${program}`,
);
