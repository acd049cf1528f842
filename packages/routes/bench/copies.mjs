// From layout to layout on a GPU, and from one GPU to the other over NVLink: node copies.mjs OUT.json [--simulated]
// [--peers]. Beside the plain copy of as many bytes in the same run; every byte compared first.
import { conditions, copyMove, packMove, unpackMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { bytesOf, measure, requireSame, Results, us, words } from "./harness.mjs";

const simulated = process.argv.includes("--simulated");
const peers = process.argv.includes("--peers");
const results = new Results(process.argv[2]);
const driver = simulated ? openSimulatedCuda({ devices: 2, backedBytes: 2 ** 29 }) : openCuda();
const own = driver.context(0);
const other = peers ? driver.context(1) : own;
const stream = own.stream();
const size = simulated ? 2 ** 16 : 2 ** 26;
const double = predefined("MPI_DOUBLE");
const backends = [
  new CudaStridedBackend(() => driver),
  new CudaGenericBackend({ driver }),
  new DmaBackend(() => driver),
];
// Between GPUs also by a kernel of the target's device, which pulls.
const puller = new CudaStridedBackend(() => driver, { runsOn: "target" });
const queueThere = other.stream();
const pulling = peers ? [{ name: "cuda-strided, pulling", queue: queueThere, backend: puller }] : [];
const CANARY = 0xa5;

const image = words(2 * size);
const from = own.deviceMemory(2 * size);
const to = other.deviceMemory(3 * size);
const staging = own.deviceMemory(size);
const packedEvent = own.event();
const send = (context, target, source, bytes) => {
  copyBytes(context, target, source, bytes).run({ handle: 0 });
  context.synchronize();
};
if (peers) own.enablePeer(other);
send(own, from.address, own.libcuda.addressOf(image), image.byteLength);

for (const blockBytes of [8, 16, 32, 64, 128, 512, 4096]) {
  const rows = size / blockBytes;
  const block = blockBytes / 8;
  // Every other block there, every third here; whole blocks on both sides.
  const source = canonicalise(lower(vector(rows, block, 2 * block, double)));
  const target = canonicalise(lower(vector(rows, block, 3 * block, double)));
  const expected = new Uint8Array(3 * size).fill(CANARY);
  const data = bytesOf(image);
  for (let i = 0; i < rows; i++) {
    const [at, into] = [i * 2 * blockBytes, i * 3 * blockBytes];
    if (blockBytes > 64) expected.set(data.subarray(at, at + blockBytes), into);
    else for (let j = 0; j < blockBytes; j++) expected[into + j] = data[at + j];
  }
  const kinds = conditions({ sourceKind: "device", targetKind: "device" });
  const move = copyMove(source, target);
  const binding = {
    source: { memory: from, originBytes: 0 },
    target: { memory: to, originBytes: 0 },
    count: 1,
    first: 0,
    length: size,
  };
  const contenders = [...backends.map((backend) => ({ name: backend.name, queue: stream, backend })), ...pulling]
    .filter(({ backend }) => backend.supports([move], kinds).ok)
    .map(({ name, queue, backend }) => {
      const plan = backend.load(backend.compile([move], kinds)).bind([binding]);
      return { name, run: () => plan.run(queue).wait() };
    });
  if (peers) contenders.push(packedThenPulled(source, target, kinds));
  for (const { name, run } of contenders) {
    to.fill(CANARY, { handle: 0 });
    other.synchronize();
    run();
    const got = new Uint8Array(3 * size);
    send(other, other.libcuda.addressOf(got), to.address, 3 * size);
    requireSame(`${name}, blocks of ${blockBytes}`, got, expected);
  }
  const plain = copyBytes(own, to.address, from.address, size);
  contenders.push({ name: "memcpy", run: () => (plain.run(stream), stream.synchronize()) });
  const measured = measure(contenders, { budgetMs: 60 });
  const best = measured.at(-1).medianNs;
  console.log(
    `${peers ? "to the peer" : "on the device"}, blocks of ${blockBytes} B: ${measured.map(({ contender, medianNs }) => `${contender} ${us(medianNs)} us (${(size / medianNs).toFixed(0)} GB/s, ${((100 * best) / medianNs).toFixed(0)} %)`).join(", ")}`,
  );
  results.add(
    measured.map((row) => ({
      workload: `${peers ? "peer" : "device"}-vector-${blockBytes}`,
      count: 1,
      packedBytes: size,
      direction: "copy",
      route: row.contender === "dma" || row.contender === "memcpy" ? "dma" : "device",
      verified: true,
      commitNs: 0,
      ...row,
    })),
  );
}

/** Two kernels: packed here, in a buffer, and unpacked from it by the other device, which reads whole lines. */
function packedThenPulled(source, target, kinds) {
  const [packer] = backends;
  const packed = { memory: staging, originBytes: 0 };
  const whole = { count: 1, first: 0, length: size };
  const bound = (backend, move, binding) =>
    backend.load(backend.compile([move], kinds)).bind([{ ...binding, ...whole }]);
  const pack = bound(packer, packMove(source), { source: { memory: from, originBytes: 0 }, target: packed });
  const unpack = bound(puller, unpackMove(target), { source: packed, target: { memory: to, originBytes: 0 } });
  return {
    name: "cuda-strided, packed then pulled",
    run() {
      pack.run(stream);
      packedEvent.record(stream);
      packedEvent.holdUp(queueThere);
      unpack.run(queueThere).wait();
    },
  };
}
