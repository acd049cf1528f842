// The experiments through the bridge, on every rank: node main.js GATE quick|full EXPERIMENTS...
import { openMpi } from "@stowage/mpi-bridge";
import { writeSync } from "node:fs";
import type { ExperimentName } from "../experiment/experiment.js";
import { alignment } from "./alignment.js";
import { pointOf, type BridgeExperiment } from "./bench.js";
import { checking } from "./checking.js";
import { datatypes } from "./datatypes.js";
import { Gate } from "./gate.js";
import { matching } from "./matching.js";
import { requests } from "./requests.js";
import { sparse } from "./sparse.js";
import { stack } from "./stack.js";
import { threads } from "./threads.js";
import { unexpected } from "./unexpected.js";
import { waitany } from "./waitany.js";

const EXPERIMENTS: Readonly<Record<ExperimentName, BridgeExperiment>> = {
  ...{ stack, requests, matching, waitany, datatypes },
  ...{ alignment, unexpected, threads, checking, sparse },
};

const WARM_UP_TURNS = 3000;
const [path = "", speed, ...names] = process.argv.slice(2);
const world = openMpi();
const { world: comm, requests: many } = world;
const gate = new Gate(path, comm.size);
const quick = speed === "quick";
warmUp();
for (const name of names as ExperimentName[]) {
  const point = pointOf(name, comm.rank, (line) => writeSync(1, `${line}\n`));
  EXPERIMENTS[name]({ world, comm, requests: many, gate, quick, point });
  gate.barrier();
}

/** What a message runs through is compiled once it has run often. Each of the two does the same number. */
function warmUp(): void {
  if (comm.rank > 1 || comm.size === 1) return;
  const [out, into] = [new Uint8Array(8), new Uint8Array(8)];
  for (let i = 0; i < WARM_UP_TURNS; i++) {
    many.waitAll([comm.irecv(into, 1 - comm.rank), comm.isend(out, 1 - comm.rank)]);
    comm.sendrecv(out, 1 - comm.rank, into, 1 - comm.rank);
  }
}
