// Where the time of a commit goes, as JSON: node packages/backend-x64/bench/commit-stages.mjs vector|box
// Each commit is of another datatype of the same shape. A process measures one kind alone, for V8's compilers warm up
// once.
import { artifactKey, conditions, packMove } from "@stowage/backend-api";
import { HostKernel, MoveCode } from "@stowage/host-plans";
import { canonicalise, lower, predefined, subarray, vector } from "@stowage/ir";
import { compileFull } from "../dist/compile.js";
import { KernelCode } from "../dist/kernel-code.js";
import { probeMachine } from "../dist/memory/machine.js";
import { tuningOf } from "../dist/options.js";
import { targetOf } from "../dist/targets/target-of.js";
import { median } from "./measure.mjs";

const COMMITS = 4000;
const PERIODS = { "20 to 60": [20, 60], "200 to 1,000": [200, 1000], "the last 1,000": [COMMITS - 1000, COMMITS] };
const child = predefined("MPI_DOUBLE");
const KINDS = {
  vector: (i) => vector(4 + (i % 97), 1, 2 + (i % 1013), child),
  box: (i) =>
    subarray({
      sizes: [40 + (i % 7), 40 + (i % 11), 64],
      subsizes: [3 + (i % 5), 4 + (i % 3), 8 + (i % 13)],
      starts: [1, 2, 3],
      order: "C",
      child,
    }),
};

const kind = process.argv[2] ?? "vector";
const make = KINDS[kind];
if (make === undefined) throw new Error(`kind: expected one of ${Object.keys(KINDS).join(", ")}, got ${kind}`);
const { machine, reason } = probeMachine();
if (machine === undefined) throw new Error(reason);
const tuning = tuningOf({}, targetOf(machine.processor));
const given = conditions();
const timesUs = {};

function timed(stage, run) {
  const begin = performance.now();
  const result = run();
  (timesUs[stage] ??= []).push((performance.now() - begin) * 1e3);
  return result;
}

for (let i = 0; i < COMMITS; i++) {
  const datatype = make(i);
  const lowered = timed("lower", () => lower(datatype));
  const layout = timed("canonicalise", () => canonicalise(lowered));
  const move = packMove(layout);
  timed("key", () => artifactKey("x64", 0, [move], given));
  const { code, belowBytes } = timed("emit", () => compileFull(move, given, machine.level, tuning));
  const kernelCode = new KernelCode(machine.arena);
  const address = timed("to executable memory", () => kernelCode.add(code));
  const moveCode = new MoveCode(() => address, { address, elementBytes: layout.sizeBytes, belowBytes });
  const codes = [{ move: moveCode, run: machine.copy }];
  const parts = { moves: [move], conditions: given, code: kernelCode, codes, launcher: machine.launcher };
  const kernel = timed("kernel", () => new HostKernel({ ...parts, explain: () => "" }));
  kernel[Symbol.dispose]();
}

const rows = Object.entries(PERIODS).map(([commits, [from, to]]) => ({
  commits,
  medianUs: Object.fromEntries(Object.entries(timesUs).map(([stage, us]) => [stage, median(us.slice(from, to))])),
}));
const command = `node packages/backend-x64/bench/commit-stages.mjs ${kind}`;
console.log(JSON.stringify({ command, date: new Date().toISOString(), node: process.version, kind, rows }, null, 1));
