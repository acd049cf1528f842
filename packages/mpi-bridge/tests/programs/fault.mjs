// One fault by name on the last rank, while the others wait for it:
// fault.mjs dies | throws | leaves | aborts | differs | "dies in an epoch"
import { openMpi } from "@stowage/mpi-bridge";

const [fault] = process.argv.slice(2);
/** Only ends what hangs. */
const LIMIT_MS = Number(process.env.STOWAGE_HANG_MS ?? 600_000) / 2;
const mpi = openMpi();
const { world } = mpi;
const isLast = world.rank === world.size - 1;
// Epochs begin with all ranks: one that dies leaves the others in the fence that ends them, under a time limit here.
const window =
  fault === "dies in an epoch" ? mpi.createWindow(world, new Float64Array(4), { unitBytes: 8 }) : undefined;
window?.fence();
if (fault === "differs") {
  // One rank opts in to chunks, the other does not.
  world.settings = { timeoutMs: 300 };
  try {
    world.dup(isLast ? {} : { pipeline: {} });
  } catch (error) {
    console.log(error.message);
    process.exitCode = 1; // as an error that nobody catches: the end does not wait for what was given up
  }
} else if (window !== undefined && !isLast) {
  window.put(Float64Array.of(1), world.size - 1);
  window.fence({ timeoutMs: LIMIT_MS });
} else if (!isLast) {
  world.recv(new Int32Array(1), world.size - 1);
} else {
  switch (fault) {
    case "dies":
    case "dies in an epoch":
      process.kill(process.pid, "SIGKILL");
      break;
    case "throws": {
      const arriving = world.irecv(new Int32Array(1), 0);
      arriving.finished().catch(() => undefined);
      setTimeout(() => {
        throw new Error("a callback of the user's failed");
      }, 5);
      break;
    }
    case "aborts":
      mpi.abort(3);
      break;
    case "leaves":
      world.irecv(new Int32Array(1), 0);
      break;
  }
}
