// Windows of simulated devices' memory: between fences, and under locks, where their owners take no part.
import { bytesOf, fault, onDevice } from "./gpus.mjs";
import { vector } from "@stowage/ir";
import { check, checkFault, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";
import { before, double, next } from "./elements.mjs";

const bytes = (list) => new Uint8Array(Float64Array.from(list).buffer);
const doubles = (memory) => new Float64Array(bytesOf(memory).buffer);
const whole = (memory) => ({ buffer: memory, datatype: "MPI_DOUBLE", count: memory.sizeBytes / 8 });

check("windows of and from device memory", () => {
  const memory = onDevice(bytes([0, 0, 0, 0]));
  const window = mpi.createWindow(world, { memory, originBytes: 0 });
  const own = onDevice(bytes([rank + 1, rank + 2]));
  window.fence();
  window.put(whole(own), next, { displacement: 8 });
  window.fence();
  equal(doubles(memory), [0, before + 1, before + 2, 0], "put");
  window.accumulate(whole(own), next, { displacement: 8 });
  window.fence();
  equal(doubles(memory), [0, 2 * (before + 1), 2 * (before + 2), 0], "accumulate");
  const got = onDevice(bytes([7, 7]));
  window.get(whole(got), next, { displacement: 8 });
  window.fence({ last: true });
  equal(doubles(got), [2 * (rank + 1), 2 * (rank + 2)], "get");
  window.free();
  const values = new Float64Array(2);
  const open = mpi.createWindow(world, values);
  open.lock(next, "exclusive");
  open.put(whole(own), next);
  open.unlock(next);
  world.barrier();
  equal(values, [before + 1, before + 2], "put under a lock");
  open.lock(next);
  open.get(whole(got), next);
  open.unlock(next);
  equal(doubles(got), [rank + 1, rank + 2], "get under a lock");
  world.barrier();
});

check("windows of device memory under locks: from a device and from the host, scattered on either side", () => {
  const memory = onDevice(bytes([0, 0, 0, 0, 0, 0]));
  const window = mpi.createWindow(world, { memory, originBytes: 0 }, { unitBytes: 8 });
  const own = onDevice(bytes([rank + 1, rank + 2]));
  const every = vector(2, 1, 2, double);
  window.lock(next, "exclusive");
  window.put(whole(own), next, { datatype: every, count: 1 });
  window.put(Float64Array.of(rank + 5), next, { displacement: 5 });
  window.flush(next);
  const [got, host] = [onDevice(new Uint8Array(24)), new Float64Array(3)];
  window.get({ buffer: got, datatype: every, count: 1 }, next, { datatype: every, count: 1 });
  window.get(host, next, { displacement: 3 });
  window.unlock(next);
  equal(doubles(got), [rank + 1, 0, rank + 2], "got");
  equal(host, [0, 0, rank + 5], "got to the host");
  world.barrier();
  equal(doubles(memory), [before + 1, 0, before + 2, 0, 0, before + 5], "put");
  world.barrier();
  const turns = 5;
  for (let turn = 0; turn < turns; turn++) {
    window.lock(0);
    window.accumulate(turn % 2 === 0 ? whole(own) : Float64Array.of(rank + 1, rank + 2), 0, { displacement: 3 });
    window.unlock(0);
  }
  world.barrier();
  const sum = (size * (size + 1)) / 2;
  if (rank === 0) equal(doubles(memory).slice(3), [turns * sum, turns * (sum + size), size + 4], "sums of all ranks");
  window.free();
});

check("an exclusive lock of a window of device memory excludes the others from the first operation on", () => {
  const memory = onDevice(bytes([0]));
  const window = mpi.createWindow(world, { memory, originBytes: 0 });
  const got = new Float64Array(1);
  const turns = 5;
  for (let turn = 0; turn < turns; turn++) {
    window.lock(0, "exclusive");
    window.get(got, 0);
    window.flush(0);
    got[0] += 1;
    window.put(got, 0);
    window.unlock(0);
  }
  world.barrier();
  if (rank === 0) equal(doubles(memory), [turns * size], "turns of all ranks");
  world.barrier();
  window.free();
});

checkFault("a window that another rank's GPU does not reach is refused under a lock, in a line", () => {
  if (size === 1) return;
  const window = mpi.createWindow(world, { memory: onDevice(bytes([rank])), originBytes: 0 });
  fault.call = (call) => (call === "cuIpcOpenMemHandle_v2" ? 800 : undefined);
  window.lock(next);
  matches(
    thrown(() => window.put(Float64Array.of(1), next)),
    /^operation on rank \d under a lock: expected fences, or a window that this rank's GPU reaches \(CUDA IPC\), got cuIpcOpenMem/,
  );
  window.unlock(next);
  fault.call = undefined;
  window.free();
});
