// A worker that opens MPI beside the main thread, which goes on when it has ended.
import { openMpi } from "@stowage/mpi-bridge";
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread) {
  const mpi = openMpi({ threadLevel: "multiple" });
  const worker = new Worker(new URL(import.meta.url));
  worker.on("exit", () => {
    const total = new Int32Array(1);
    mpi.world.allreduce(Int32Array.of(1), total);
    console.log(`rank ${mpi.world.rank}: ${total[0] === mpi.world.size ? "main goes on" : "wrong"}`);
  });
} else {
  try {
    const mpi = openMpi();
    const into = new Int32Array(1);
    const arriving = mpi.self.irecv(into, 0);
    mpi.self.send(Int32Array.of(mpi.world.rank + 1), 0);
    arriving.wait();
    process.stdout.write(`rank ${mpi.world.rank}: worker got ${into[0]}\n`);
  } catch (error) {
    const rank = process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK;
    process.stdout.write(`rank ${rank}: worker refused: ${error.message}\n`);
  }
}
