// Rank 1 is killed at a step of a message through shared memory, and rank 0 says how its side ends:
// shared-memory-fault.mjs STEP FILE, into which it says that. The launcher is asked to let the others go on.
import { openMpi } from "@stowage/mpi-bridge";
import { writeFileSync } from "node:fs";
import { RING_BYTES } from "../../dist/carriers/ipc/host/segment.js";

const [step, file] = process.argv.slice(2);
const { world } = openMpi();
const shared = world.dup({ pipeline: {} });
const { rank } = world;
const other = 1 - rank;
const LONG = 3 * RING_BYTES;
const pids = [new Int32Array(1), new Int32Array(1)];
pids[rank][0] = process.pid;
world.sendrecv(pids[rank], other, pids[other], other);

const die = () => process.kill(process.pid, "SIGKILL");

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilDead() {
  while (isThere(pids[other][0])) await new Promise((go) => setTimeout(go, 5));
}

const bytesOf = (length) => new Uint8Array(length).fill(7);

/** What rank 1 does until it is killed, and rank 0 from then on; rank 0 may have begun something ahead. */
const STEPS = {
  "the sender, ahead of its last pieces": [
    () => shared.isend(bytesOf(LONG), 0),
    () => undefined,
    () => shared.recv(new Uint8Array(LONG), 1),
  ],
  "the sender, behind all of them": [
    () => shared.send(bytesOf(RING_BYTES), 0),
    () => undefined,
    () => {
      const into = new Uint8Array(RING_BYTES);
      const { sizeBytes } = shared.recv(into, 1);
      return `${sizeBytes === RING_BYTES && into.every((byte) => byte === 7) ? "all" : "not all"} bytes are there`;
    },
  ],
  "the receiver, ahead of the offer": [
    () => undefined,
    () => shared.isend(bytesOf(LONG), 1),
    (sending) => sending.wait(),
  ],
  "the receiver, behind some pieces": [
    () => {
      const into = new Uint8Array(LONG);
      const receiving = shared.irecv(into, 0);
      while (into[RING_BYTES - 1] === 0) receiving.test();
    },
    () => shared.isend(bytesOf(LONG), 1),
    (sending) => sending.wait(),
  ],
};

const [ofOne, ahead, then] = STEPS[step];
if (rank === 1) {
  ofOne();
  die();
}
const begun = ahead();
await untilDead();
let said;
try {
  said = String(then(begun));
} catch (error) {
  said = `${error.name}: ${error.message}`;
}
writeFileSync(file, said);
// To finalise MPI would wait for the other.
die();
