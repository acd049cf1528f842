// Calls from C: what stowage compiled beside gcc -O3 loops with constant bounds and beside MPI_Pack, in one program.
// node packages/compile/bench/calls.mjs [results/MACHINE/compile-calls.json] [SAMPLES] [TARGET]
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { heading, scriptCommand, writeResults } from "@stowage/bench";
import { compileTypes } from "@stowage/compile";
import { boundsOf, parseDatatype } from "@stowage/ir";
import { shapes } from "./call-shapes.mjs";

const [file, samples = "101", target = "multi"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "compile-calls-"));
const source = fileURLToPath(new URL("calls.c", import.meta.url));

const named = shapes.map(({ symbol, type }) => ({ symbol, datatype: parseDatatype(type) }));
for (const { ending, bytes } of compileTypes(named, { name: "shapes", target, language: "c" }))
  writeFileSync(join(folder, `shapes${ending}`), bytes);

/** The loop of a shape, packing or unpacking: `scattered` and `packed` are elements of its type. */
function loopOf({ symbol, loop, element }, direction) {
  const [scattered, packed] = direction === "pack" ? ["source", "target"] : ["target", "source"];
  const pointer = (name, from) => `${from === "source" ? "const " : ""}${element} *restrict ${name} = ${from};`;
  const move = direction === "pack" ? "packed[k] = scattered[i];" : "scattered[i] = packed[k];";
  return `void ${symbol}_plain_${direction}(const void *restrict source, void *restrict target) {
  ${pointer("scattered", scattered)}\n  ${pointer("packed", packed)}\n  long k = 0;\n  ${loop.replace("MOVE", move)}\n}`;
}
const loops = shapes.map((shape) => [shape.tables, loopOf(shape, "pack"), loopOf(shape, "unpack")].join("\n"));
const cases = shapes.map(({ symbol, name, type, mpi, tables }) => {
  const { sizeBytes, trueExtentBytes, trueLowerBoundBytes } = boundsOf(parseDatatype(type));
  const reach = trueLowerBoundBytes + trueExtentBytes;
  return {
    code: `${tables}\nvoid ${symbol}_plain_pack(const void *restrict, void *restrict);
void ${symbol}_plain_unpack(const void *restrict, void *restrict);
static MPI_Datatype ${symbol}_type(void) {\n  MPI_Datatype type;\n  ${mpi}\n  return type;\n}\n`,
    row: `{"${name}", ${sizeBytes}, ${reach}, ${symbol}_pack, ${symbol}_unpack, ${symbol}_pack_element, ${symbol}_unpack_element, ${symbol}_plain_pack, ${symbol}_plain_unpack, ${symbol}_type},`,
  };
});
writeFileSync(
  join(folder, "cases.h"),
  `#include "shapes.h"\n${cases.map(({ code }) => code).join("")}static const struct shape shapes[] = {\n${cases.map(({ row }) => row).join("\n")}\n};\n`,
);
// A file of its own: the compiler must not see through the calls.
writeFileSync(join(folder, "loops.c"), loops.join("\n"));

const run = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command}: expected to pass, got ${stderr}`);
  return stdout;
};
const env = ["-std=gnu11", `-I${folder}`];
run("gcc", ["-O3", "-march=native", ...env, "-c", "-o", join(folder, "loops.o"), join(folder, "loops.c")]);
const objects = [source, join(folder, "loops.o"), join(folder, "shapes.a")];
run("mpicc", ["-O2", ...env, "-o", join(folder, "calls"), ...objects]);
const rows = run(join(folder, "calls"), [samples])
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const cell = ({ workload, packedBytes, direction }) => `${workload} ${packedBytes} ${direction}`;
for (const row of rows.filter(({ contender }) => contender === "compiled")) {
  const [c, mpi, range] = ["c-O3", "mpi", "compiled-range"].map((name) =>
    rows.find((other) => other.contender === name && cell(other) === cell(row)),
  );
  const ratio = (other) => (other.medianNs / row.medianNs).toFixed(2);
  console.log(
    `${row.workload.padEnd(12)} ${String(row.packedBytes).padStart(6)} B ${row.direction.padEnd(6)} compiled ${row.medianNs.toFixed(1).padStart(8)} ns, C ${c.medianNs.toFixed(1).padStart(8)} ns (${ratio(c)} x), MPI ${mpi.medianNs.toFixed(1).padStart(8)} ns (${ratio(mpi)} x), with a range ${range.medianNs.toFixed(1)} ns`,
  );
}
if (file !== undefined) writeResults(file, heading(scriptCommand()), rows);
