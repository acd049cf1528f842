// What explain says is what the message does: each carrier's answer, the prediction, which is chosen and why.
import { inspect } from "node:util";
import { resized, vector } from "@stowage/ir";
import { hostMemory } from "@stowage/backend-api";
import { check, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";
import { double } from "./elements.mjs";

const CARRIERS = ["native", "packed", "gapped", "chunked", "ipc", "nccl"];
const answersOf = ({ answers }) => Object.fromEntries(answers.map((answer) => [answer.carrier, answer]));
const column = (rows) => resized(0, 24 * rows, vector(rows, 2, 3, double));
const elements = (datatype, rows) => ({
  buffer: { memory: hostMemory(new Float64Array(3 * rows)), originBytes: 0 },
  datatype,
  count: 1,
});

/** A communicator whose choice is free, whatever this run asks for, and without a time limit. */
function free() {
  const comm = world.dup();
  comm.settings = {};
  return comm;
}

check("each carrier answers, in the order of their registration, and prints", () => {
  const plain = free();
  const type = mpi.commit(column(3000));
  const said = plain.explain(elements(type, 3000), 0);
  equal(
    said.answers.map(({ carrier }) => carrier),
    CARRIERS,
  );
  const answers = answersOf(said);
  for (const name of ["native", "packed", "gapped"]) {
    equal(answers[name].support.ok, true, name);
    equal(answers[name].prediction.totalNs > 0, true, `prediction of ${name}`);
  }
  for (const name of ["chunked", "ipc", "nccl"])
    matches({ message: answers[name].support.reason }, /^its communicator was not duplicated with options that frame/);
  const { totalNs } = answers[said.carrier].prediction;
  equal(totalNs <= Math.min(...said.answers.flatMap(({ prediction }) => prediction?.totalNs ?? [])), true, "the least");
  matches({ message: String(said) }, /^48000 bytes go by (native|packed): the least predicted time\n/);
  matches({ message: inspect(said) }, /\n\* (native|packed) +predicted \d+\.\d us\n/);
  matches({ message: String(said) }, /\n {2}gapped +predicted .* us\n {2}chunked +no: its communicator/);
  type[Symbol.dispose]();
  plain.free();
});

check("elements side by side have one carrier, hints name others, and few bytes go natively", () => {
  const plain = free();
  const dense = plain.explain(new Float64Array(8), 0);
  equal([dense.carrier, dense.reason], ["native", "no other carrier takes it"]);
  matches({ message: answersOf(dense).packed.support.reason }, /^nothing of it is to be packed/);
  for (const carrier of ["native", "packed", "gapped"]) {
    const type = mpi.commit(column(3000), { carrier });
    const said = plain.explain(elements(type, 3000), 0);
    equal([said.carrier, said.reason], [carrier, "asked for by a hint"]);
    type[Symbol.dispose]();
  }
  const once = mpi.commit(column(30), { reuse: 2 });
  equal(plain.explain(elements(once, 30), 0).carrier, "native");
  const wrong = mpi.commit(column(30), { carrier: "pigeon" });
  matches(
    thrown(() => plain.explain(elements(wrong, 30), 0)),
    /^carrier of a hint: expected one of native, packed, gapped, chunked, ipc, nccl, .*, got pigeon$/,
  );
  for (const type of [once, wrong]) type[Symbol.dispose]();
  plain.free();
});

check("on a communicator of frames its members' carriers alone are admitted", () => {
  const framed = world.dup({ pipeline: { chunkBytes: 4096 } });
  const type = mpi.commit(column(300));
  const said = framed.explain(elements(type, 300), 0);
  equal(said.carrier, "chunked");
  const answers = answersOf(said);
  for (const name of ["native", "packed", "gapped"])
    matches({ message: answers[name].support.reason }, /^messages of its communicator begin with a frame$/);
  matches({ message: answers.ipc.support.reason }, /^it has no more than 16384 bytes$/);
  type[Symbol.dispose]();
  framed.free();
});

check(
  "messages that repeat decide by their own times: those that block, and those that are begun and waited for",
  () => {
    if (size === 1) return;
    const peer = rank ^ 1;
    const turns = {
      blocking: (comm, out, into) => {
        if (rank < peer) comm.send(out, peer);
        comm.recv(into, peer);
        if (rank > peer) comm.send(out, peer);
      },
      begun: (comm, out, into) => {
        const receiving = comm.irecv(into, peer);
        const sending = comm.isend(out, peer);
        receiving.wait();
        sending.wait();
      },
    };
    for (const [name, turn] of Object.entries(turns)) {
      const comm = free();
      const type = mpi.commit(column(3000));
      const [out, into] = [elements(type, 3000), elements(type, 3000)];
      if (peer < size) {
        for (let i = 0; i < 60; i++) turn(comm, out, into);
        const said = comm.explain(out, peer);
        equal(said.reason, "the least median of its messages' own times", name);
        const tried = said.answers.filter(({ measuredNs }) => measuredNs > 0).map(({ carrier }) => carrier);
        equal(tried, ["native", "packed", "gapped"], `measured of ${name}`);
        matches({ message: String(said) }, /, measured \d+\.\d us/);
      }
      type[Symbol.dispose]();
      comm.free();
    }
  },
);
