// The other process of experiments/two-gpus.mjs: opens memory and an event of the first process, reads and writes the
// one after the other, and says what it saw. Started with fork(), it answers one message.
import { summarise } from "@stowage/bench";
import { copyBytes, openCuda, openSharedMemory, shareEvent } from "@stowage/cuda-driver";
import { copyWords } from "./driver-kernels.mjs";
import { difference, pattern } from "./pattern.mjs";
import { fileURLToPath } from "node:url";

const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
const textOf = (bytes) => Buffer.from(bytes).toString("base64");

/** What an act throws, in one line. */
export function lineOf(act) {
  try {
    act();
  } catch (error) {
    return error.message;
  }
  return "nothing was refused";
}

/** Each of so many runs, in nanoseconds: median, least and most. */
function timed(runs, run) {
  const samples = Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - start);
  });
  return summarise(samples);
}

/** Opens the first process's event here, or where it was made: other devices may refuse it. */
function openEvent(driver, context, message, notes) {
  const handle = bytesOf(message.event);
  try {
    return context.event({ handle });
  } catch (error) {
    notes.push({ name: `event of GPU ${message.owner} opened on GPU ${message.device}`, line: error.message });
    return driver.context(message.owner).event({ handle });
  }
}

/**
 * Reads all shared memory and checks it, writes its halves by a copy and by a kernel, and answers with an event of its
 * own.
 */
export function answer(driver, message) {
  const notes = [];
  const times = {};
  const checks = [];
  const context = driver.context(message.device);
  const stream = context.stream();
  const sent = openEvent(driver, context, message, notes);
  stream.waitFor(sent);
  message.memories.forEach(({ handle, sizeBytes, seed, seedBack }, i) => {
    const half = sizeBytes / 2;
    const shared = openSharedMemory(context, bytesOf(handle), sizeBytes);
    const own = context.deviceMemory(sizeBytes);
    const host = context.pinnedMemory(sizeBytes);
    const kernel = context
      .kernel(copyWords)
      .launch(24, { grid: { x: context.device.multiprocessors * 8 }, block: { x: 256 } });
    const kernelCopy = (target, source, words) => {
      [target, source, words].forEach((value, at) => kernel.parameters.setBigUint64(at * 8, BigInt(value), true));
      kernel.run(stream);
    };
    const expectHost = (name, seedOf) => {
      stream.synchronize();
      checks.push({
        name: `${name}, memory ${i} of ${sizeBytes} B`,
        failure: difference(host.bytes, pattern(sizeBytes, seedOf)),
      });
      host.bytes.fill(0);
    };
    copyBytes(context, host.address, shared.address, sizeBytes).run(stream);
    expectHost("read by a copy", seed);
    kernelCopy(own.address, shared.address, sizeBytes / 16);
    copyBytes(context, host.address, own.address, sizeBytes).run(stream);
    expectHost("read by a kernel", seed);
    if (i === message.memories.length - 1) {
      times.read = timed(30, () => {
        copyBytes(context, own.address, shared.address, sizeBytes).run(stream);
        stream.synchronize();
      });
      times.kernelRead = timed(30, () => {
        kernelCopy(own.address, shared.address, sizeBytes / 16);
        stream.synchronize();
      });
    }
    host.bytes.set(pattern(sizeBytes, seedBack));
    copyBytes(context, own.address, host.address, sizeBytes).run(stream);
    copyBytes(context, shared.address, own.address, half).run(stream);
    kernelCopy(shared.address + half, own.address + half, half / 16);
    stream.synchronize();
    if (i === message.memories.length - 1) {
      times.openAndClose = timed(50, () => openSharedMemory(context, bytesOf(handle), sizeBytes)[Symbol.dispose]());
    }
    for (const memory of [shared, own, host]) memory[Symbol.dispose]();
    if (i === 0) notes.push({ name: "memory used after it was closed", line: lineOf(() => shared.address) });
  });
  notes.push({
    name: "a handle of no memory opened",
    line: lineOf(() => openSharedMemory(context, new Uint8Array(64).fill(7), 4096)),
  });
  const written = context.event({ shared: true });
  written.record(stream);
  sent[Symbol.dispose]();
  return { checks, notes, times, event: textOf(shareEvent(written)) };
}

/**
 * A kernel of GPU 0 reads memory of GPU 1 that it was given no access to: what the driver says. Costs the process its
 * context.
 */
export function reachWithoutAccess(driver) {
  const [own, other] = [driver.context(0), driver.context(1)];
  const [target, source] = [own.deviceMemory(4096), other.deviceMemory(4096)];
  const stream = own.stream();
  const launch = own.kernel(copyWords).launch(24, { grid: { x: 1 }, block: { x: 256 } });
  [target.address, source.address, 256].forEach((value, i) =>
    launch.parameters.setBigUint64(i * 8, BigInt(value), true),
  );
  return lineOf(() => {
    launch.run(stream);
    stream.synchronize();
  });
}

// The process of a peer alone: who imports this may have a parent of its own.
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once("message", (message) => {
    process.send(message === "reach" ? reachWithoutAccess(openCuda()) : answer(openCuda(), message));
    // Its own event lives until the first process has let go of it.
    process.once("message", () => process.exit(0));
  });
}
