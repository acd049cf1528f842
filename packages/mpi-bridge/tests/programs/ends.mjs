// How the last rank ends, while the others go on:
// ends.mjs "sends to one who is late" | "gives up" | "ends a promise late"
import { openMpi } from "@stowage/mpi-bridge";

const [how] = process.argv.slice(2);
const { world } = openMpi();
const last = world.size - 1;
/** Longer than a rank waits in silence. */
const LATE_MS = 3000;
const BYTES = 2 ** 22;

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const HOW = {
  /** Its buffers are its receiver's to take, who has no processor for a while. */
  "sends to one who is late"() {
    if (world.rank === last) return void world.isend(new Uint8Array(BYTES).fill(7), 0);
    if (world.rank !== 0) return;
    sleep(LATE_MS);
    const into = new Uint8Array(BYTES);
    world.recv(into, last);
    if (into.some((byte) => byte !== 7)) throw new Error("expected the last rank's bytes, got others");
  },
  /** No poll comes between: MPI has cancelled it, and nobody has asked. */
  "gives up"() {
    if (world.rank !== last) return;
    const arriving = world.irecv(new Uint8Array(8), 0);
    arriving.cancel();
    arriving.free();
    process.exit(0);
  },
  /** What awaits goes on behind the last call of the module. */
  async "ends a promise late"() {
    if (world.rank === 0) sleep(LATE_MS / 10);
    await world.ibarrier().finished();
    if (world.rank === last) process.exitCode = 0;
  },
};
await HOW[how]();
console.log(`rank ${world.rank} ends`);
