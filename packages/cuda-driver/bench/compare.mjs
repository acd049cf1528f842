// Runs bench/driver.mjs and its C twin in turns and writes one result file: node compare.mjs C-PROGRAM RESULT [ROUNDS].
// Each figure is the median over the rounds; rows of one name are comparable. The C program takes the PTX that Node
// prints.
import { openCuda, selfCheck } from "@stowage/cuda-driver";
import { print } from "@stowage/ptx";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyWords, nothing } from "./kernels.mjs";
import { commit } from "./commit.mjs";

const [program, result, rounds = "5"] = process.argv.slice(2);
const driver = openCuda();
const { name: gpu, architecture } = driver.devices[0];
const ptx = join(tmpdir(), `stowage-${process.pid}.ptx`);
writeFileSync(ptx, print([nothing, copyWords], { arch: architecture }));
const checks = selfCheck(driver.context());
for (const { name, failure } of checks)
  console.log(failure === undefined ? `ok ${name}` : `FAILED ${name}: ${failure}`);
const verified = checks.every(({ failure }) => failure === undefined);

const contenders = {
  node: [process.execPath, [fileURLToPath(new URL("driver.mjs", import.meta.url))]],
  c: [program, [ptx]],
};
const samples = new Map();
for (let round = 0; round < Number(rounds); round++) {
  for (const [contender, [file, args]] of Object.entries(contenders)) {
    for (const line of execFileSync(file, args, { encoding: "utf8" }).trim().split("\n")) {
      const row = JSON.parse(line);
      const key = `${row.name}|${row.bytes}|${contender}`;
      samples.set(key, [...(samples.get(key) ?? []), row]);
    }
  }
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const routeOf = (name) => (/pinned|mapped/.test(name) ? "one-shot" : "device");
const rows = [...samples].map(([key, list]) => {
  const [workload, bytes, contender] = key.split("|");
  return {
    workload,
    count: 1,
    packedBytes: Number(bytes),
    direction: "copy",
    route: routeOf(workload),
    contender,
    medianNs: median(list.map((row) => row.medianNs)),
    minNs: Math.min(...list.map((row) => row.minNs)),
    maxNs: Math.max(...list.map((row) => row.maxNs)),
    runs: list.reduce((sum, row) => sum + row.runs, 0),
    verified,
    commitNs: 0,
  };
});
for (const row of rows.filter(({ contender }) => contender === "node")) {
  const c = rows.find(
    (other) => other.contender === "c" && other.workload === row.workload && other.packedBytes === row.packedBytes,
  );
  const us = (ns) => (ns / 1000).toFixed(2).padStart(10);
  console.log(
    `${row.workload.padEnd(30)} ${String(row.packedBytes).padStart(10)} node${us(row.medianNs)} c${us(c?.medianNs ?? NaN)} us`,
  );
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, gpu, driver: driver.version, node: process.version };
const document = {
  schema: "stowage-results/1",
  command: "node packages/cuda-driver/bench/compare.mjs",
  date: new Date().toISOString(),
  commit,
  machine,
  rows,
};
if (verified) writeFileSync(result, `${JSON.stringify(document, null, 1)}\n`);
