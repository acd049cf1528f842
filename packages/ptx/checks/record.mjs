// Records what a real GPU makes of the agreement kernels: node record.mjs OUT.json [random kernels] [first seed].
import { writeFileSync } from "node:fs";
import { openCuda, copyBytes } from "@stowage/cuda-driver";
import { encodeParameters, print } from "@stowage/ptx";
import {
  hashWords,
  INPUT_BYTES,
  instructionKernels,
  OUTPUT_BYTES,
  randomKernel,
  simulateTrial,
  TRIAL_BLOCK,
  TRIAL_GRID,
  trialInput,
  trialTable,
} from "@stowage/ptx/agreement";

const [out, count = "10000", first = "0"] = process.argv.slice(2);
/** Threads whose output is kept whole; of the others the hash says enough. */
const KEPT_BYTES = 1024;
const MODULE_KERNELS = 50;

const context = openCuda().context();
const stream = context.stream();
const input = context.deviceMemory(INPUT_BYTES);
const output = context.deviceMemory(OUTPUT_BYTES);
const staging = context.pinnedMemory(INPUT_BYTES);
staging.bytes.set(trialInput());
copyBytes(context, input.address, staging.address, INPUT_BYTES).run(stream);
stream.synchronize();

function run(module, kernel) {
  output.fill(0, stream);
  const launch = module
    .kernel(kernel.name)
    .launch(kernel.parameterBytes, { grid: { x: TRIAL_GRID[0] }, block: { x: TRIAL_BLOCK[0] } });
  const values = { input: BigInt(input.address), output: BigInt(output.address), table: trialTable() };
  new Uint8Array(launch.parameters.buffer).set(encodeParameters(kernel, values));
  launch.run(stream);
  copyBytes(context, staging.address, output.address, OUTPUT_BYTES).run(stream);
  stream.synchronize();
  return staging.bytes.slice(0, OUTPUT_BYTES);
}

function* inModules(kernels) {
  for (let i = 0; i < kernels.length; i += MODULE_KERNELS) {
    const some = kernels.slice(i, i + MODULE_KERNELS);
    const module = context.module(print(some, { arch: context.device.architecture }));
    for (const kernel of some) yield { kernel, bytes: run(module, kernel) };
  }
}

let disagreements = 0;
function compare(name, kernel, hash) {
  if (hashWords(simulateTrial(kernel)) === hash) return;
  disagreements++;
  console.log(`${name}: the simulated device gives another result`);
}

const instructions = [];
for (const { kernel, bytes } of inModules(instructionKernels())) {
  const hash = hashWords(bytes);
  compare(kernel.name, kernel, hash);
  instructions.push({ name: kernel.name, hash, bytes: Buffer.from(bytes.subarray(0, KEPT_BYTES)).toString("base64") });
}
const random = [];
const BATCH = 500;
for (let seed = Number(first); seed < Number(first) + Number(count); seed += BATCH) {
  const kernels = Array.from({ length: Math.min(BATCH, Number(first) + Number(count) - seed) }, (_, i) =>
    randomKernel(seed + i),
  );
  for (const { kernel, bytes } of inModules(kernels)) {
    const hash = hashWords(bytes);
    compare(kernel.name, kernel, hash);
    random.push(hash);
  }
}
const { name, architecture } = context.device;
const machine = { gpu: name, architecture, driver: context.version };
writeFileSync(
  out,
  `${JSON.stringify({ recorded: new Date().toISOString(), machine, firstSeed: Number(first), instructions, random })}\n`,
);
console.log(
  `${instructions.length} instruction kernels and ${random.length} random kernels on ${name}: ${disagreements} disagreements`,
);
process.exitCode = disagreements === 0 ? 0 : 1;
