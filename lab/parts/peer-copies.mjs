// Copies between two GPUs and kernels that reach across, seen from Node; c/two-gpus.c measures the same from C.
// Prints one JSON object a line: {name, bytes, medianNs, minNs, maxNs, runs}. node peer-copies.mjs [--simulated]
import { copyBytes, copyToPeer, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { copyWords } from "./driver-kernels.mjs";
import { difference, fillPattern } from "./pattern.mjs";
import { printed } from "./programs.mjs";

const simulated = process.argv.includes("--simulated");
const driver = simulated ? openSimulatedCuda({ devices: 2, backedBytes: 2 ** 28 }) : openCuda();
const LARGEST = simulated ? 2 ** 20 : 2 ** 28;
const sides = [0, 1].map((ordinal) => {
  const context = driver.context(ordinal);
  return {
    context,
    stream: context.stream(),
    memory: context.deviceMemory(LARGEST),
    kernel: context.kernel(copyWords),
  };
});
const [first] = sides;
const [input, output] = [first.context.pinnedMemory(LARGEST), first.context.pinnedMemory(LARGEST)];

/** The bytes of `from` are set, those of `to` are not, and after the run they are: before it is timed, and after. */
function verified(from, to, bytes, seed, run) {
  fillPattern(input.bytes.subarray(0, bytes), seed);
  copyBytes(from.context, from.memory.address, input.address, bytes).run(from.stream);
  from.stream.synchronize();
  to.memory.fill(seed, to.stream);
  to.stream.synchronize();
  run();
  copyBytes(to.context, output.address, to.memory.address, bytes).run(to.stream);
  to.stream.synchronize();
  const wrong = difference(output.bytes.subarray(0, bytes), input.bytes.subarray(0, bytes));
  if (wrong !== undefined) throw new Error(`${bytes} bytes from GPU ${from.context.device.ordinal}: ${wrong}`);
}

let seed = 1;
function route(name, from, to, bytes, run) {
  verified(from, to, bytes, seed++, run);
  printed(name, bytes, bytes > 2 ** 24 ? 30 : 200, run);
  verified(from, to, bytes, seed++, run);
}

function copies(kind) {
  for (const [from, to] of [sides, sides.toReversed()]) {
    const name = `${kind}copy from GPU ${from.context.device.ordinal} to GPU ${to.context.device.ordinal}`;
    for (const bytes of [2 ** 10, 2 ** 14, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26, 2 ** 28].filter(
      (size) => size <= LARGEST,
    )) {
      const copy = copyToPeer(to.context, to.memory.address, from.context, from.memory.address, bytes);
      route(name, from, to, bytes, () => {
        copy.run(from.stream);
        from.stream.synchronize();
      });
    }
  }
}

/** A kernel of GPU 0 that reads or writes the memory of GPU 1. */
function kernels() {
  const bytes = Math.min(LARGEST, 2 ** 26);
  const blocks = first.context.device.multiprocessors * 8;
  for (const [name, [from, to]] of Object.entries({ write: sides, read: sides.toReversed() })) {
    const launch = first.kernel.launch(24, { grid: { x: blocks }, block: { x: 256 } });
    [to.memory.address, from.memory.address, bytes / 16].forEach((value, i) =>
      launch.parameters.setBigUint64(i * 8, BigInt(value), true),
    );
    route(`kernel of GPU 0, ${name} of GPU 1`, from, to, bytes, () => {
      launch.run(first.stream);
      first.stream.synchronize();
    });
  }
}

copies("before peer access: ");
for (const [own, other] of [sides, sides.toReversed()]) own.context.enablePeer(other.context);
copies("");
kernels();
for (const [own, other] of [sides, sides.toReversed()]) own.context.disablePeer(other.context);
for (const { context } of sides) context[Symbol.dispose]();
