// Rank 1 transfers the memory of an operation away while MPI works on it, and goes on: lost.mjs isend|ibcast|...
import { openMpi } from "@stowage/mpi-bridge";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");
const [what] = process.argv.slice(2);
const mpi = openMpi();
const { world } = mpi;
const bytes = new Uint8Array(2 ** 22).fill(1);

/** Whoever takes it lets go of it, too. */
function giveAway(view) {
  structuredClone(view, { transfer: [view.buffer] });
  collectGarbage();
}

function tell(work) {
  try {
    work();
    console.log("no error");
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}

const BEGUN = {
  isend: () => world.isend(bytes, 0),
  ibcast: () => world.ibcast(bytes, 0),
  sendInit() {
    const request = world.sendInit(bytes, 0);
    request.start();
    return request;
  },
  window() {
    const window = mpi.createWindow(world, bytes);
    window.fence();
    return { wait: () => window.fence() };
  },
};
const request = what === "window" || what === "ibcast" || world.rank === 1 ? BEGUN[what]() : undefined;
if (world.rank === 1) {
  giveAway(bytes);
  tell(() => world.iprobe());
  tell(() => request.wait());
} else {
  tell(() => request?.wait());
  tell(() => world.recv(bytes, 1, { tag: 9 }));
}
