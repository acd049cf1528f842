// Compile time and size of an object for each datatype: node packages/compile/bench/objects.mjs
// [results/MACHINE/compile-objects.json] [RUNS]
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { scriptCommand } from "@stowage/bench";
import { compileTypes } from "@stowage/compile";
import { nearestPackedBytes, workload } from "@stowage/workloads";

const [file, runs = "9"] = process.argv.slice(2);
const WORKLOADS = [
  "vector-1of2",
  "vector-16of64",
  "milc-32",
  "lu-column",
  "wrf-x-rows",
  "fft2-transpose",
  "lammps-atoms",
  "specfem-oc",
  "specfem-mt",
  "struct24",
  "box4d-doubles",
  "indexed-random",
];
const SIZES = [1024, 1 << 20];
const TARGETS = ["x86-64", "x86-64-v3", "x86-64-v4", "multi"];

const rows = WORKLOADS.flatMap((name) =>
  SIZES.flatMap((bytes) => {
    const { datatype } = workload(name, { packedBytes: nearestPackedBytes(name, bytes) });
    return TARGETS.map((target) => measured(name, datatype, target));
  }),
);

function measured(name, datatype, target) {
  const timesMs = [];
  let objectBytes = 0;
  for (let i = 0; i < Number(runs); i++) {
    const start = process.hrtime.bigint();
    const [object] = compileTypes([{ symbol: "t", datatype }], { name: "t", target, language: "c" });
    timesMs.push(Number(process.hrtime.bigint() - start) / 1e6);
    objectBytes = object.bytes.length;
  }
  timesMs.sort((a, b) => a - b);
  const packedBytes = Number(packedBytesOf(datatype));
  return {
    workload: name,
    packedBytes,
    target,
    objectBytes,
    medianMs: timesMs[timesMs.length >> 1],
    minMs: timesMs[0],
    maxMs: timesMs.at(-1),
    runs: timesMs.length,
  };
}

function packedBytesOf(datatype) {
  const [, header] = compileTypes([{ symbol: "t", datatype }], { name: "t", target: "x86-64", language: "c" });
  return /#define t_size INT64_C\((\d+)\)/.exec(new TextDecoder().decode(header.bytes))[1];
}

console.log(
  `| type | packed bytes | ${TARGETS.map((target) => `${target}: bytes, ms`).join(" | ")} |\n|---|---|${TARGETS.map(() => "---|").join("")}`,
);
for (let i = 0; i < rows.length; i += TARGETS.length) {
  const cells = rows
    .slice(i, i + TARGETS.length)
    .map(({ objectBytes, medianMs }) => `${objectBytes}, ${medianMs.toFixed(2)}`);
  console.log(`| ${rows[i].workload} | ${rows[i].packedBytes} | ${cells.join(" | ")} |`);
}
if (file !== undefined) {
  const [{ model }] = cpus();
  const machine = { cpu: model, cores: cpus().length, node: process.version };
  const headline = `${rows.length} objects, a median of ${median(rows.map(({ medianMs }) => medianMs)).toFixed(2)} ms each`;
  const head = {
    question: "compile: time and size of objects",
    headline,
    command: scriptCommand(),
    date: new Date().toISOString(),
    machine,
  };
  writeFileSync(file, `${JSON.stringify({ ...head, rows }, null, 1)}\n`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
