import { compileTypes } from "@stowage/compile";
import { boundsOf, parseDatatype } from "@stowage/ir";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shapes } from "../parts/call-shapes.mjs";
import { inFolder } from "../parts/in-folder.mjs";
import { jsonLines, output } from "../parts/programs.mjs";

/** The loop of a shape, packing or unpacking: `scattered` and `packed` are elements of its type. */
function loopOf({ symbol, loop, element }, direction) {
  const [scattered, packed] = direction === "pack" ? ["source", "target"] : ["target", "source"];
  const pointer = (name, from) => `${from === "source" ? "const " : ""}${element} *restrict ${name} = ${from};`;
  const move = direction === "pack" ? "packed[k] = scattered[i];" : "scattered[i] = packed[k];";
  return `void ${symbol}_plain_${direction}(const void *restrict source, void *restrict target) {
  ${pointer("scattered", scattered)}\n  ${pointer("packed", packed)}\n  long k = 0;\n  ${loop.replace("MOVE", move)}\n}`;
}

/** What the program in C knows of a shape. */
function caseOf({ symbol, name, type, mpi, tables }) {
  const { sizeBytes, trueExtentBytes, trueLowerBoundBytes } = boundsOf(parseDatatype(type));
  const reach = trueLowerBoundBytes + trueExtentBytes;
  const calls = ["pack", "unpack", "pack_element", "unpack_element", "plain_pack", "plain_unpack", "type"];
  return {
    code: `${tables}\nvoid ${symbol}_plain_pack(const void *restrict, void *restrict);
void ${symbol}_plain_unpack(const void *restrict, void *restrict);
static MPI_Datatype ${symbol}_type(void) {\n  MPI_Datatype type;\n  ${mpi}\n  return type;\n}\n`,
    row: `{"${name}", ${sizeBytes}, ${reach}, ${calls.map((call) => `${symbol}_${call}`).join(", ")}},`,
  };
}

/** Builds the program in a folder: compiled datatypes, plain loops that the compiler cannot see into, MPI's calls. */
function build(folder, target) {
  const named = shapes.map(({ symbol, type }) => ({ symbol, datatype: parseDatatype(type) }));
  for (const { ending, bytes } of compileTypes(named, { name: "shapes", target, language: "c" }))
    writeFileSync(join(folder, `shapes${ending}`), bytes);
  const cases = shapes.map(caseOf);
  const table = `static const struct shape shapes[] = {\n${cases.map(({ row }) => row).join("\n")}\n};\n`;
  writeFileSync(join(folder, "cases.h"), `#include "shapes.h"\n${cases.map(({ code }) => code).join("")}${table}`);
  const loops = shapes.map((shape) => [shape.tables, loopOf(shape, "pack"), loopOf(shape, "unpack")].join("\n"));
  writeFileSync(join(folder, "loops.c"), loops.join("\n"));
  const [source, program] = [fileURLToPath(new URL("../c/compile-calls.c", import.meta.url)), join(folder, "calls")];
  const env = ["-std=gnu11", `-I${folder}`];
  output("gcc", ["-O3", "-march=native", ...env, "-c", "-o", join(folder, "loops.o"), join(folder, "loops.c")]);
  output("mpicc", ["-O2", ...env, "-o", program, source, join(folder, "loops.o"), join(folder, "shapes.a")]);
  return program;
}

export default {
  name: "compile-calls",
  question: "What does a call from C of a datatype compiled ahead of time cost, beside loops in C and MPI_Pack?",
  kind: "moves",
  options: {
    samples: { kind: "number", says: "of each call", byDefault: 101 },
    target: { kind: "text", says: "the level that is compiled for", byDefault: "multi" },
  },
  trial: { samples: 3 },
  async *cells({ target }) {
    yield* inFolder("compile-calls", function* (folder) {
      yield { label: { workload: "calls" }, program: build(folder, target) };
    });
  },
  contenders: () => ({}),
  /** One program has all contenders in it, which checks them and times them in turns. */
  run: (_, { program }, { samples }) => ({ rows: jsonLines(output(program, [String(samples)])) }),
  rows: (_, { rows }) => rows,
};
