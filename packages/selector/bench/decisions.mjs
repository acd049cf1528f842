// What choosing costs: node decisions.mjs OUT.json. A call of an engine that chooses among backends and counts uses,
// beside the same call where there is one backend and nothing to decide; and choosing itself, which a commit does once.
// Calls of 1, 8 and 64 elements take turns, so that each asks for another course.
import { writeFileSync } from "node:fs";
import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import { heading, sampleInTurns, workloadOfSize } from "@stowage/bench";
import { canonicalise, lower } from "@stowage/ir";
import { createEngine } from "@stowage/selector";

const out = process.argv[2];
if (out === undefined) throw new Error("OUT.json: expected a file, got nothing");
/** Short calls: what a decision takes would be lost in longer ones. */
const BYTES = 256;
const NAMES = ["struct24", "vector-8", "indexed-16", "indexed_block-32", "NAS_LU_y/0", "vector-32"];
const COUNTS = [1, 8, 64];
const SAMPLING = { budgetMs: 250, sampleUs: 100, rounds: 41 };

function callOf(engine, datatype) {
  const committed = engine.commit(datatype);
  const { extentBytes, trueExtentBytes, trueLowerBoundBytes, sizeBytes } = lower(datatype);
  const memory = hostMemory(new Uint8Array(trueExtentBytes + 64 * Math.abs(extentBytes)));
  const source = { memory, originBytes: -trueLowerBoundBytes };
  const packed = new Uint8Array(64 * sizeBytes);
  let turn = 0;
  return () => {
    const count = COUNTS[turn++ % COUNTS.length];
    committed.pack(source, packed, { count }).wait();
  };
}

/** Four to a group: the same call among all backends, among those of the host, and with one backend alone. */
function rowsOf(name) {
  const { datatype } = workloadOfSize(name, BYTES);
  const engines = {
    "x64 alone": createEngine({ backends: [new X64Backend()], profile: "shipped" }),
    "x64 and cpu": createEngine({ backends: [new CpuBackend(), new X64Backend()], profile: "shipped" }),
    "all backends": createEngine({ profile: "shipped" }),
  };
  const moves = [packMove(canonicalise(lower(datatype)))];
  const deciding = engines["all backends"];
  const choices = {
    "to choose at a commit": () => deciding.choiceFor(moves, conditions({})).chosen,
  };
  const calls = Object.values(engines).map((engine) => callOf(engine, datatype));
  const work = [...calls, ...Object.values(choices)];
  // Whatever is to be compiled after so many uses has been.
  for (const call of calls) for (let i = 0; i < 30_000; i++) call();
  const times = sampleInTurns(work, SAMPLING);
  const contenders = [...Object.keys(engines), ...Object.keys(choices)];
  for (const engine of Object.values(engines)) engine[Symbol.dispose]();
  return contenders.map((contender, i) => ({ workload: name, contender, ...times[i] }));
}

const rows = NAMES.flatMap(rowsOf);
const decisions = NAMES.map((name) => {
  const of = (contender) => rows.find((row) => row.workload === name && row.contender === contender);
  const [alone, host, all] = ["x64 alone", "x64 and cpu", "all backends"].map(of);
  return {
    workload: name,
    callNs: all.medianNs,
    decisionNs: all.medianNs - alone.medianNs,
    decisionMinNs: all.minNs - alone.minNs,
    hostDecisionNs: host.medianNs - alone.medianNs,
    chooseNs: of("to choose at a commit").medianNs,
  };
});
const { schema, ...head } = heading("node packages/selector/bench/decisions.mjs OUT.json");
writeFileSync(out, `${JSON.stringify({ ...head, decisions, rows }, null, 1)}\n`);
for (const { workload: name, ...ns } of decisions) {
  console.log(name.padEnd(28), ...Object.entries(ns).map(([key, value]) => `${key} ${value.toFixed(0)}`.padEnd(20)));
}
